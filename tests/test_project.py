"""The project as a whole: public names, what is installed, what the documents point at."""

import importlib
import importlib.util
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from hardware.io import MQTT, SERIAL

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["cli", "engine", "hardware", "p2p"]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def tracked() -> list[Path]:
    """Files under version control that are present."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a checkout")
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True)
    return [path for name in listing.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def text(path: Path) -> str:
    """The text of a file; of one that is not text, nothing."""
    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        return ""


@pytest.mark.parametrize("name", PACKAGES)
def test_every_public_name_of_a_package_exists(name: str) -> None:
    package = importlib.import_module(name)
    assert package.__doc__
    assert len(set(package.__all__)) == len(package.__all__)
    assert [each for each in package.__all__ if not hasattr(package, each)] == []


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_is_typed(name: str) -> None:
    assert (ROOT / name / "py.typed").is_file()


def test_the_wheel_carries_the_four_packages_and_nothing_else() -> None:
    build = PROJECT["tool"]["hatch"]["build"]
    assert sorted(build["targets"]["wheel"]["packages"]) == PACKAGES
    assert build["dev-mode-exact"] is True


@pytest.mark.parametrize(
    ("extra", "missing", "words"),
    [
        ([], "", None),
        (["tests/__init__.py"], "", "top-level names"),
        (["shoal-0.2.0.dist-info/METADATA"], "", "exactly one .dist-info"),
        ([], "p2p/py.typed", "p2p/py.typed is missing"),
    ],
)
def test_a_wheel_with_other_contents_is_refused(extra: list[str], missing: str, words: str | None) -> None:
    spec = importlib.util.spec_from_file_location("wheel_names", ROOT / "scripts" / "wheel_names.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    good = [f"{name}/{file}" for name in PACKAGES for file in ("__init__.py", "py.typed")]
    names = [name for name in [*good, "shoal-0.1.0.dist-info/METADATA", *extra] if name != missing]
    found = script.complaints(names)
    assert (found == []) if words is None else (len(found) == 1 and words in found[0])


def find_python(path: Path) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", str(ROOT / "scripts" / "find-python")]
    return subprocess.run(command, check=False, env={"PATH": str(path)}, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("pythons", "sentence"),
    [
        ({}, "Python 3.11 or later"),
        ({"python3": "exit 1"}, "Python 3.11 or later"),
        ({"python3.12": 'case "$2" in *version_info*) exit 0;; *) exit 1;; esac'}, "venv module"),
    ],
)
def test_a_machine_without_a_usable_python_is_told_so(
    tmp_path: Path, pythons: dict[str, str], sentence: str
) -> None:
    for name, script in pythons.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / name).chmod(0o755)
    result = find_python(tmp_path)
    assert (result.returncode, result.stdout) == (1, "")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1


def test_a_usable_python_is_found(tmp_path: Path) -> None:
    (tmp_path / "python3").symlink_to(sys.executable)
    result = find_python(tmp_path)
    assert (result.returncode, result.stdout) == (0, f"{tmp_path}/python3\n")


def test_the_readme_belongs_to_the_distribution() -> None:
    assert (ROOT / "README.md").is_file() == (PROJECT["project"].get("readme") == "README.md")


def test_the_changelog_has_a_place_for_what_comes_next() -> None:
    headings = re.findall(r"^## (.*)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert headings[0] == "[Unreleased]"


def test_every_dependency_is_accounted_for() -> None:
    """One line in docs/dependencies.md for each dependency, and none for one that is gone."""
    project = PROJECT["project"]
    groups = [
        project["dependencies"],
        *project["optional-dependencies"].values(),
        PROJECT["build-system"]["requires"],
    ]
    needed = {re.split(r"[^\w.-]", requirement)[0] for group in groups for requirement in group}
    described = re.findall(
        r"^\| `([\w.-]+)`", (ROOT / "docs" / "dependencies.md").read_text("utf-8"), re.MULTILINE
    )
    assert sorted(described) == sorted(needed)


def test_what_readers_need_is_installed_in_the_version_that_is_tested() -> None:
    """The command that the program prints names the same version as `pyproject.toml`."""
    project = PROJECT["project"]
    assert SERIAL in project["dependencies"]
    assert project["optional-dependencies"]["mqtt"] == [MQTT]


def anchors(document: str) -> set[str]:
    """The fragments GitHub gives to the headings of a document."""
    headings = re.findall(r"^#+ +(.*?) *$", re.sub(r"```.*?```", "", document, flags=re.DOTALL), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_between_documents_resolve() -> None:
    documents = [path for path in tracked() if path.suffix == ".md"]
    assert documents
    broken = []
    for document in documents:
        prose = re.sub(r"```.*?```|`[^`\n]*`", "", text(document), flags=re.DOTALL)
        for link in re.findall(r"\]\(([^)\s]+)\)", prose):
            path, _, fragment = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            target = (document.parent / path) if path else document
            if not target.exists() or (fragment and fragment not in anchors(text(target))):
                broken.append(f"{document.relative_to(ROOT)}: {link}")
    assert broken == []


def test_no_file_speaks_of_the_machine_it_was_written_on() -> None:
    # Ann's home is the one that pictures and tests show; nobody's machine.
    elsewhere = re.compile("/" + r"(?:home/(?!ann\b)|(?:root|Users|work)/)\w")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        for number, line in enumerate(text(path).splitlines(), 1)
        if elsewhere.search(line)
    ]
    assert found == []


def test_every_worked_scenario_is_there() -> None:
    """ids.txt lists them; one may be left out only with its reason, `# left out GF-nn: reason`."""
    folder = ROOT / "tests" / "scenarios"
    files = [path.read_text("utf-8") for path in sorted(folder.glob("*.toml"))]
    there = {scenario["id"] for written in files for scenario in tomllib.loads(written)["scenario"]}
    excused = {
        name
        for written in files
        for name in re.findall(r"^# left out ([A-Z]+-\d+): \w.*$", written, re.MULTILINE)
    }
    wanted = (folder / "ids.txt").read_text("utf-8").split()
    # A scenario of several cases has one entry for each, as GF-24a, GF-24b.
    covered = {re.sub(r"[a-z]$", "", name) for name in there} | excused
    assert [name for name in wanted if name not in covered] == []


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(("code", "made"), [(0, 0), (130, 0), (3, 2)])
def test_a_pause_is_no_error_of_make_play(tmp_path: Path, code: int, made: int) -> None:
    program = tmp_path / "bin" / "shoal"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\nexit {code}\n", encoding="utf-8")
    program.chmod(0o755)
    (tmp_path / "installed").touch()
    done = subprocess.run(
        ["make", "play", f"VENV={tmp_path}"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Error" in done.stderr) == (made, made != 0)
