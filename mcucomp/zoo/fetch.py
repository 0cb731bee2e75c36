"""How does a public model come to this machine?

It is downloaded from its repository's raw files at the commit that the table
states, and must have the size and the SHA-256 that the table states. A file
appears only when it is whole.
"""

from __future__ import annotations

import hashlib
import http.client
import io
import urllib.error
import urllib.parse
import urllib.request
import zipfile

from mcucomp.errors import InvalidInput, NetworkFailed
from mcucomp.output_folder import write_whole
from mcucomp.zoo.folder import VARIABLE, model_file, models_folder
from mcucomp.zoo.table import ZooModel

ADDRESS = "https://raw.githubusercontent.com"
TIMEOUT_S = 30.0
_ARCHIVE_LIMIT_BYTES = 64 << 20
_AGAIN = "try again later, or put the file there by hand"


def fetch(model: ZooModel, address: str = ADDRESS) -> bool:
    """Make sure that the file of `model` is there; False where it already was.

    `address` is a server that has files under REPOSITORY/COMMIT/PATH.

    Raises:
        NetworkFailed: it cannot be reached, does not have the file, or has another.
        InvalidInput: the folder of models cannot be written.
    """
    path = model_file(model)
    if path.is_file() and _is_right(path.read_bytes(), model):
        return False
    data = _downloaded(model, address)
    if model.member is not None:
        data = _member_of(data, model)
    if not _is_right(data, model):
        raise NetworkFailed(
            f"what was downloaded has {len(data):,} B and SHA-256"
            f" {hashlib.sha256(data).hexdigest()[:16]}...; {model.size_bytes:,} B and"
            f" {model.sha256[:16]}... were expected",
            at=model.name,
            fix="the server gave another file; nothing was kept",
        )
    try:
        models_folder().mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    except OSError as error:
        raise InvalidInput(
            f"cannot be written: {error.strerror}",
            at=str(path),
            fix=f"name a folder that you may write with {VARIABLE}",
        ) from error
    return True


def _is_right(data: bytes, model: ZooModel) -> bool:
    return len(data) == model.size_bytes and hashlib.sha256(data).hexdigest() == model.sha256


def _downloaded(model: ZooModel, address: str) -> bytes:
    """The bytes of the file in the repository; never more than it can have."""
    place = urllib.parse.quote(f"{model.repository}/{model.commit}/{model.path}")
    url = f"{address.rstrip('/')}/{place}"
    host = urllib.parse.urlsplit(url).netloc
    limit_bytes = model.size_bytes if model.member is None else _ARCHIVE_LIMIT_BYTES
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:
            data: bytes = answer.read(limit_bytes + 1)
    except urllib.error.HTTPError as error:
        raise NetworkFailed(
            f"{host} answered {error.code} for {model.repository}/{model.path}",
            at=model.name,
            fix=_AGAIN,
        ) from error
    except (OSError, http.client.HTTPException, ValueError) as error:
        reason = getattr(error, "reason", error)
        raise NetworkFailed(
            f"no network: {host or address} cannot be reached"
            f" ({getattr(reason, 'strerror', None) or reason or type(error).__name__})",
            at=model.name,
        ) from error
    return data


def _member_of(archive: bytes, model: ZooModel) -> bytes:
    """The model out of a zip archive; its size is looked at before anything is unpacked."""
    assert model.member is not None
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            if opened.getinfo(model.member).file_size != model.size_bytes:
                return b""
            return opened.read(model.member)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError) as error:
        raise NetworkFailed(
            f"{model.path} is no archive with {model.member} in it",
            at=model.name,
            fix=_AGAIN,
        ) from error
