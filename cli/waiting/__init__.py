"""The waiting room, from the opened table to the first shuffle, and the way back to it for a rematch.

``room`` is what there is to see, ``lines`` how it is said in lines, and ``drawing`` puts it on the full
screen. ``host``, ``guest`` and ``again`` are the thin shells around them.
"""
