"""Which file systems a database may lie on: its log needs locks and memory that reach all who have it open."""

from __future__ import annotations

from pathlib import Path

MOUNTS = Path("/proc/self/mounts")
#: File systems whose locks and shared memory don't reach other machines, without which a log of writes is unsafe.
REMOTE = {"afs", "ceph", "cifs", "davfs", "glusterfs", "lustre", "ncpfs", "nfs", "nfs4", "smb3", "smbfs"}
REMOTE |= {f"fuse.{name}" for name in ("davfs2", "glusterfs", "rclone", "s3fs", "sshfs")}
#: The same where several machines have it mounted; but sandboxes show the disk of their one machine by it, too.
MAYBE_REMOTE = {"9p"}


def file_system_of(path: Path) -> str:
    """Return the kind of the file system that a file lies on, an empty text where the system doesn't tell."""
    best, kind = "", ""
    if not MOUNTS.exists():
        return kind
    resolved = path.resolve()
    for line in MOUNTS.read_text(encoding="utf-8", errors="replace").splitlines():
        _device, place, found, *_rest = line.split()
        place = place.replace("\\040", " ")
        if resolved.is_relative_to(place) and len(place) >= len(best):
            best, kind = place, found
    return kind
