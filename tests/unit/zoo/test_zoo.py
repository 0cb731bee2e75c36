"""`mcucomp zoo`: the table, downloads from a server on this machine, and trials."""

from __future__ import annotations

import hashlib
import io
import json
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from mcucomp import cli, zoo
from mcucomp.check import reference
from mcucomp.zoo import table
from tests.support import tools
from tests.support.models import ModelBuilder, residual_network
from tests.support.shared import models_directory

COMMIT = "0" * 40


def unsupported() -> bytes:
    b = ModelBuilder()
    b.operator("WHERE", (b.input((1, 4), scale=0.5),), (1, 4), scale=0.5)
    return b.bytes()


def archive(**members: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as opened:
        for name, data in members.items():
            opened.writestr(f"{name}.tflite", data)
    return packed.getvalue()


MODELS = {"residual": residual_network().bytes(), "where": unsupported()}
FILES = {
    "/own/zoo/" + COMMIT + "/models/residual.tflite": MODELS["residual"],
    "/own/zoo/" + COMMIT + "/models/a%20b.zip": archive(where=MODELS["where"]),
}


def row(name: str, path: str, *, in_tflm: bool = True, member: str = "", sha256: str = "") -> str:
    data = MODELS[name]
    return (
        f'[{name}]\nrepository = "own/zoo"\ncommit = "{COMMIT}"\npath = "models/{path}"\n'
        + (f'member = "{member}"\n' if member else "")
        + f'sha256 = "{sha256 or hashlib.sha256(data).hexdigest()}"\nbytes = {len(data)}\n'
        f'licence = "MIT"\nin_tflm = {str(in_tflm).lower()}\nexercises = "something"\n'
    )


ROWS = row("residual", "residual.tflite") + row(
    "where", "a b.zip", in_tflm=False, member="where.tflite"
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where fetched models go; the table has those of this module."""
    use_table(ROWS, tmp_path, monkeypatch)
    monkeypatch.setenv("MCUCOMP_MODELS", str(tmp_path / "models"))
    monkeypatch.setenv("NO_PROXY", "*")
    monkeypatch.setattr("mcucomp.report.terminal.PROGRESS_AFTER_S", 1e6)
    return tmp_path / "models"


def use_table(rows: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "models.toml"
    path.write_text(rows)
    monkeypatch.setattr(table, "_TABLE", path)
    table.known.cache_clear()


@pytest.fixture(autouse=True)
def _own_table_again() -> Iterator[None]:
    yield
    table.known.cache_clear()


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that has `FILES`, until the test ends."""

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            data = FILES.get(self.path)
            self.send_response(404 if data is None else 200)
            self.end_headers()
            self.wfile.write(data or b"none")

        def log_message(self, *_: object) -> None:
            """Tests compare what is said."""

    served = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    thread = threading.Thread(target=served.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{served.server_port}"
    served.shutdown()
    served.server_close()
    thread.join()


def call(capfd: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = cli.run(["zoo", *arguments])
    said = capfd.readouterr()
    return status, said.out, said.err


def test_the_table(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    folder.mkdir()
    (folder / "residual.tflite").write_bytes(MODELS["residual"])
    status, out, err = call(capfd)
    assert (status, err) == (0, "")
    head, first, second = (line.split() for line in out.splitlines())
    assert head == ["model", "bytes", "here", "repository", "licence", "exercises"]
    size = f"{len(MODELS['residual']):,}"
    assert first == ["residual", size, "yes", "own/zoo", "MIT", "something"]
    assert second[:2] == ["where", f"{len(MODELS['where']):,}"]
    assert "yes" not in second

    _, out, _ = call(capfd, "--json")
    document = json.loads(out)
    assert (document["schema"], document["folder"]) == (1, str(folder))
    assert document["models"][1] == {
        "name": "where",
        "repository": "own/zoo",
        "commit": COMMIT,
        "path": "models/a b.zip",
        "member": "where.tflite",
        "sha256": hashlib.sha256(MODELS["where"]).hexdigest(),
        "bytes": len(MODELS["where"]),
        "licence": "MIT",
        "in_tflm": False,
        "exercises": "something",
        "present": False,
    }


def test_fetch_puts_whole_and_verified_files_where_tests_look(
    folder: Path, server: str, capfd: pytest.CaptureFixture[str]
) -> None:
    status, out, err = call(capfd, "fetch", "where", "residual", "--mirror", server)
    assert (status, err) == (0, "")
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["fetched", "where"],
        ["fetched", "residual"],
    ]
    assert models_directory() == folder
    assert {p.name: p.read_bytes() for p in folder.iterdir()} == {
        f"{name}.tflite": data for name, data in MODELS.items()
    }
    _, out, _ = call(capfd, "fetch", "--all", "--mirror", server, "--json")
    rows = json.loads(out)["models"]
    assert [(r["name"], r["fetched"]) for r in rows] == [("residual", False), ("where", False)]


def test_a_damaged_file_is_fetched_anew(
    folder: Path, server: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder.mkdir()
    damaged = b"x" * len(MODELS["residual"])
    (folder / "residual.tflite").write_bytes(damaged)
    status, out, _ = call(capfd, "fetch", "residual", "--mirror", server)
    assert (status, out.split()[0]) == (0, "fetched")
    assert (folder / "residual.tflite").read_bytes() == MODELS["residual"]


@pytest.mark.parametrize(
    ("rows", "name", "message"),
    [
        (
            row("residual", "residual.tflite", sha256="ab" * 32),
            "residual",
            "residual: what was downloaded has {size:,} B and SHA-256 {found}...; {size:,} B and"
            " abababababababab... were expected\n"
            "  fix: the server gave another file; nothing was kept\n",
        ),
        (
            row("residual", "gone.tflite"),
            "residual",
            "residual: {host} answered 404 for own/zoo/models/gone.tflite\n"
            "  fix: try again later, or put the file there by hand\n",
        ),
        (
            row("where", "residual.tflite", member="where.tflite"),
            "where",
            "where: models/residual.tflite is no archive with where.tflite in it\n"
            "  fix: try again later, or put the file there by hand\n",
        ),
    ],
    ids=["another file", "no file", "no archive"],
)
def test_what_is_not_the_stated_file_is_not_kept(
    rows: str,
    name: str,
    message: str,
    folder: Path,
    server: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    use_table(rows, tmp_path, monkeypatch)
    status, out, err = call(capfd, "fetch", name, "--mirror", server)
    found = hashlib.sha256(MODELS["residual"]).hexdigest()[:16]
    host = server.removeprefix("http://")
    assert err == message.format(size=len(MODELS["residual"]), found=found, host=host)
    assert (status, out) == (3, "")
    assert not folder.exists()


def test_without_a_network_it_says_so_in_one_line(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    status, out, err = call(capfd, "fetch", "--all", "--mirror", "http://127.0.0.1:1")
    assert (status, out) == (3, "")
    assert err == "residual: no network: 127.0.0.1:1 cannot be reached (Connection refused)\n"
    status, out, err = call(capfd, "fetch", "--all", "--mirror", "http://127.0.0.1:1", "--json")
    assert (status, err) == (3, "")
    assert json.loads(out)["error"]["kind"] == "network-failed"
    assert not folder.exists()


def test_a_folder_that_is_none(
    folder: Path, server: str, capfd: pytest.CaptureFixture[str]
) -> None:
    folder.write_text("a file")
    status, _, err = call(capfd, "fetch", "residual", "--mirror", server)
    assert status == 2
    assert err == (
        f"{folder / 'residual.tflite'}: cannot be written: File exists\n"
        "  fix: name a folder that you may write with MCUCOMP_MODELS\n"
    )


def test_names_that_are_wrong(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert call(capfd, "fetch", "residul") == (
        2,
        "",
        "mcucomp zoo: model residul is not known\n"
        "  fix: the nearest names are residual, where; 'mcucomp zoo' lists all\n",
    )
    assert call(capfd, "fetch") == (
        2,
        "",
        "mcucomp zoo fetch: say which models to fetch\n"
        "  fix: name them ('mcucomp zoo' lists all), or give --all\n",
    )
    assert call(capfd, "test", "residual") == (
        2,
        "",
        f"residual: its file is not in {folder}\n"
        "  fix: 'mcucomp zoo fetch residual' downloads it\n",
    )
    assert call(capfd, "test") == (
        2,
        "",
        f"mcucomp zoo test: no model of the table is in {folder}\n"
        "  fix: 'mcucomp zoo fetch --all' downloads them\n",
    )


def present(folder: Path) -> None:
    folder.mkdir()
    for name, data in MODELS.items():
        (folder / f"{name}.tflite").write_bytes(data)


def test_trials_of_all_that_are_present(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tools.require("gcc", "tflite_micro")
    present(folder)
    status, out, err = call(capfd, "test", "--inputs", "2")
    assert (status, err) == (0, "")
    _, first, second, last = out.splitlines()
    assert first.split()[0] == "residual"
    assert first.split()[2:] == ["same"]
    assert "refused, by TFLM too  operator 0 WHERE: this operator is not supported" in second
    assert last == "2 of 2 as they should be"


def test_a_gap_is_no_success(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    """A model that TFLM runs must run here."""
    present(folder)
    rows = row("where", "a b.zip", member="where.tflite")
    use_table(rows, tmp_path, monkeypatch)
    status, out, err = call(capfd, "test")
    assert status == 1
    assert "where" in out
    assert err == (
        "mcucomp zoo test: 1 of 1 models are not as they should be\n"
        "  fix: these are gaps or bugs of ours; 'mcucomp check' shows more of each\n"
    )
    status, out, err = call(capfd, "test", "--json")
    assert (status, err) == (1, "")
    assert json.loads(out)["models"] == [
        {
            "name": "where",
            "outcome": "refused",
            "ok": False,
            "note": "operator 0 WHERE: this operator is not supported",
            "arena_peak_bytes": None,
        }
    ]


def test_other_bytes_than_tflms_are_no_success(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    tools.require("gcc", "tflite_micro")
    present(folder)

    true_outputs = reference.outputs

    def wrong(*arguments: object) -> list[list[bytes]]:
        return [[bytes(b ^ 1 for b in out) for out in row] for row in true_outputs(*arguments)]

    monkeypatch.setattr(reference, "outputs", wrong)
    status, out, _ = call(capfd, "test", "residual", "--inputs", "1", "--json")
    (found,) = json.loads(out)["models"]
    assert (status, found["outcome"], found["ok"]) == (1, "different", False)
    assert "outputs differ" in found["note"]


def test_the_real_table_is_whole() -> None:
    models = zoo.known()
    assert len(models) >= 38
    for model in models.values():
        assert len(model.sha256) == 64
        assert len(model.commit) == 40
        assert model.size_bytes > 0
        assert model.path.endswith((".tflite", ".bin", ".zip"))
        assert model.path.endswith(".zip") == (model.member is not None)
        assert all((model.repository.count("/") == 1, model.licence, model.exercises))


def test_the_real_table_is_true_of_the_files_that_are_here() -> None:
    found = [m for m in zoo.known().values() if zoo.model_file(m).is_file()]
    if not found:
        pytest.skip("skipped: no public models (mcucomp zoo fetch --all, or set MCUCOMP_MODELS)")
    for model in found:
        data = zoo.model_file(model).read_bytes()
        assert hashlib.sha256(data).hexdigest() == model.sha256, model.name
        assert len(data) == model.size_bytes


def test_where_models_are(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable before the checkout's neighbour, that before the user's cache."""
    monkeypatch.setenv("MCUCOMP_MODELS", str(tmp_path / "named"))
    assert zoo.models_folder() == tmp_path / "named"
    monkeypatch.delenv("MCUCOMP_MODELS")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    beside = tmp_path / "shared"
    monkeypatch.setattr("mcucomp.zoo.folder._BESIDE_CHECKOUT", beside)
    assert zoo.models_folder() == tmp_path / "cache" / "mcucomp" / "models"
    beside.mkdir()
    assert zoo.models_folder() == beside
