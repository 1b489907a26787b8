"""join_wheels.py DIRECTORY WHEEL...: makes one wheel of wheels that differ in their compiled modules only, one per Python.

auditwheel decides the platform tag from the symbols that the libraries need. Nothing is added: a library that is not on every
Linux of that tag is an error, and so is a wheel of more than 8 MB.
"""

import base64
import hashlib
import json
import pathlib
import re
import subprocess
import sys
import zipfile

MOST_BYTES = 8_000_000


def platform(wheel: pathlib.Path) -> str:
    """The tag that the symbols allow. The program finds our own library only after installation, so auditwheel does not."""
    said = subprocess.run([sys.executable, "-m", "auditwheel", "show", "--json", str(wheel)], capture_output=True, text=True)
    if said.returncode != 0:
        sys.exit(f"join_wheels.py: {wheel}: {said.stderr}")
    found = json.loads(said.stdout)
    foreign = [name for name in found["external_libs"] if not name.startswith("libpolitex-")]
    if foreign or not found["sym_tag"].startswith("manylinux"):
        sys.exit(f"join_wheels.py: {wheel} needs {foreign} and {found['versioned_symbols']}: not on every Linux")
    return found["sym_tag"]


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


def main(directory: pathlib.Path, wheels: list[pathlib.Path]) -> None:
    files: dict[str, tuple[zipfile.ZipInfo, bytes]] = {}
    pythons, platforms = [], set()
    for wheel in sorted(wheels, key=lambda one: int(re.search(r"-cp3(\d+)-", one.name)[1])):
        name, version, python, *_ = wheel.name.removesuffix(".whl").split("-")
        pythons.append(python)
        platforms.add(platform(wheel))
        with zipfile.ZipFile(wheel) as archive:
            for info in archive.infolist():
                files[info.filename] = (info, archive.read(info))
    newest = max(platforms, key=lambda tag: [int(part) for part in tag.split("_")[1:3]])
    prefix = f"{name}-{version}.dist-info/"
    info, text = files[prefix + "WHEEL"]
    kept = [line for line in text.decode().splitlines() if line and not line.startswith("Tag:")]
    tags = [f"Tag: {python}-{python}-{newest}" for python in pythons]
    files[prefix + "WHEEL"] = (info, "\n".join([*kept, *tags, ""]).encode())
    del files[prefix + "RECORD"]

    joined = ".".join(pythons)
    out = directory / f"{name}-{version}-{joined}-{joined}-{newest}.whl"
    directory.mkdir(exist_ok=True)
    for old in directory.glob(f"{name}-*.whl"):
        old.unlink()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        lines = ""
        for path, (info, data) in sorted(files.items()):
            entry = zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0))
            entry.external_attr, entry.compress_type = info.external_attr, zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
            lines += record_line(path, data)
        record = zipfile.ZipInfo(prefix + "RECORD", (2020, 1, 1, 0, 0, 0))
        record.external_attr, record.compress_type = 0o644 << 16, zipfile.ZIP_DEFLATED
        archive.writestr(record, lines + f"{prefix}RECORD,,\n")
    size = out.stat().st_size
    print(f"{out.parent.name}/{out.name}: {size / 1e6:.1f} MB")
    if size > MOST_BYTES:
        sys.exit(f"join_wheels.py: {out} has more than {MOST_BYTES / 1e6:g} MB")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), [pathlib.Path(name) for name in sys.argv[2:]])
