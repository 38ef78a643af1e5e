"""The pure packages do what their inputs say: the part of that promise that imports alone cannot show.

The contract `pure` in pyproject.toml forbids modules. Here: built-ins that read or write, values that differ
from run to run (`id`, `hash`, the order of a set), the clock, and key generation, which draws from the
operating system. A set held in a variable is out of reach of this test; iterate over `sorted(...)` of it.
"""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SHELLS = (ROOT / "p2p" / "io", ROOT / "hardware" / "io")

FORBIDDEN_CALLS = {
    "__import__", "breakpoint", "compile", "eval", "exec", "hash", "id", "input", "open", "print",
}  # fmt: skip
FORBIDDEN_METHODS = {
    "generate": "draws a key from the operating system",
    "now": "reads the clock",
    "today": "reads the clock",
    "utcnow": "reads the clock",
}
ORDER_MATTERS = {"enumerate", "iter", "list", "map", "next", "reversed", "tuple", "zip"}
ORDER_IS_LOST = {"all", "any", "frozenset", "len", "max", "min", "set", "sorted", "sum"}
IMPORTLIB = {
    "engine/registry.py": {"importlib.metadata"}
}  # finding games; decks are read everywhere in engine


def pure_files() -> list[Path]:
    files = [file for name in ("engine", "p2p", "hardware") for file in sorted((ROOT / name).rglob("*.py"))]
    return [file for file in files if not any(file.is_relative_to(shell) for shell in SHELLS)]


def is_set(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr | ast.BitAnd | ast.Sub | ast.BitXor):
        return is_set(node.left) or is_set(node.right)
    named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    return isinstance(node, ast.Set | ast.SetComp) or (named and node.func.id in {"set", "frozenset"})


def unordered(tree: ast.AST) -> Iterator[ast.expr]:
    """Places where the order of a set would decide something."""
    harmless = {
        argument
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDER_IS_LOST
        for argument in node.args
    }
    for node in ast.walk(tree):
        sources: list[ast.expr] = []
        match node:
            case ast.For():
                sources = [node.iter]
            case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() if node not in harmless:
                sources = [generator.iter for generator in node.generators]
            case ast.Starred():
                sources = [node.value]
            case ast.YieldFrom():
                sources = [node.value]
            case ast.Call(func=ast.Name(id=name)) if name in ORDER_MATTERS and node not in harmless:
                sources = node.args
            case ast.Call(func=ast.Attribute(attr="join")):
                sources = node.args
        yield from (source for source in sources if is_set(source))


def imported(node: ast.AST) -> list[str]:
    match node:
        case ast.Import():
            return [alias.name for alias in node.names]
        case ast.ImportFrom(module=str(module), level=0):
            return [f"importlib.{a.name}" for a in node.names] if module == "importlib" else [module]
    return []


def complaints(source: str, name: str) -> list[str]:
    """One line for each place of a module's source that could make two runs differ."""
    tree = ast.parse(source)
    found = [
        (node.lineno, "iterates over a set, whose order differs from run to run") for node in unordered(tree)
    ]
    allowed = IMPORTLIB.get(name, set()) | ({"importlib.resources"} if name.startswith("engine/") else set())
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id=called)) if called in FORBIDDEN_CALLS:
                found.append((node.lineno, f"calls {called}()"))
            case ast.Call(func=ast.Attribute(attr=method)) if method in FORBIDDEN_METHODS:
                found.append((node.lineno, f"calls {method}(), which {FORBIDDEN_METHODS[method]}"))
            case ast.Attribute(
                value=ast.Name(id="sys"), attr="stdin" | "stdout" | "stderr" | "argv" as stream
            ):
                found.append((node.lineno, f"uses sys.{stream}"))
        found += [
            (node.lineno, f"imports {module}")
            for module in imported(node)
            if module.split(".")[0] == "importlib" and module not in allowed
        ]
    return [f"{name}:{line} {what}" for line, what in sorted(found)]


def test_the_pure_packages_have_no_hidden_inputs() -> None:
    files = pure_files()
    assert files
    found = [
        line
        for file in files
        for line in complaints(file.read_text("utf-8"), file.relative_to(ROOT).as_posix())
    ]
    assert found == []


@pytest.mark.parametrize(
    "source",
    [
        "open('x')",
        "print(1)",
        "hash('x')",
        "id(x)",
        "for x in {1, 2}: f(x)",
        "for x in set(y) - z: f(x)",
        "[x for x in frozenset(y)]",
        "{x: 1 for x in {y, z}}",
        "list({x for x in y})",
        "', '.join({'a', 'b'})",
        "f(*{1, 2})",
        "datetime.now()",
        "Ed25519PrivateKey.generate()",
        "import importlib",
        "from importlib import metadata",
        "import sys\nsys.stdout.write('x')",
    ],
)
def test_a_hidden_input_is_found(source: str) -> None:
    assert len(complaints(source, "p2p/log/x.py")) == 1


@pytest.mark.parametrize(
    "source",
    [
        "sorted({1, 2})",
        "any(x > 1 for x in {1, 2})",
        "1 in {1, 2}",
        "{x for x in {1, 2}}",
        "for x in sorted(set(y)): f(x)",
        "len(set(x))",
        "self.open(slot)",
    ],
)
def test_what_cannot_differ_is_let_through(source: str) -> None:
    assert complaints(source, "p2p/log/x.py") == []


def test_only_the_registry_and_the_decks_use_importlib() -> None:
    assert complaints("import importlib.metadata", "engine/registry.py") == []
    assert complaints("from importlib import resources", "engine/decks/__init__.py") == []
    assert len(complaints("import importlib.resources", "p2p/log/x.py")) == 1
    assert len(complaints("import importlib.metadata", "engine/cards.py")) == 1


def test_the_contract_of_the_pure_modules_is_complete() -> None:
    """A new module of p2p or hardware is pure unless it lies in an `io` package."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = {contract["id"]: contract for contract in settings["tool"]["importlinter"]["contracts"]}
    modules = {
        f"{name}.{child.stem}"
        for name in ("p2p", "hardware")
        for child in (ROOT / name).iterdir()
        if (child.suffix == ".py" and child.stem != "__init__") or (child / "__init__.py").exists()
    }
    assert set(contracts["pure"]["source_modules"]) == {"engine"} | (modules - {"p2p.io", "hardware.io"})
