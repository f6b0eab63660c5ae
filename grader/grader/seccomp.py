"""The system calls that a sandbox refuses, as the program that bubblewrap hands to the kernel."""

import errno
import platform
import struct

# what would hold memory or files where no limit counts them, or reach other submissions
REFUSED = {
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "msgget": (68, 186),
    "semget": (64, 190),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "unshare": (272, 97),
    "setns": (308, 268),
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "fsopen": (430, 430),
    "fsmount": (432, 432),
    "open_tree": (428, 428),
    "move_mount": (429, 429),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "userfaultfd": (323, 282),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "io_uring_setup": (425, 425),
}
CLONE, CLONE3, NEW_USER = (56, 220), (435, 435), 0x10000000  # clone with NEW_USER is refused
MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}
# instructions: load a word, jump if it equals, is at least, has a bit of …, return
LOAD, RETURN = 0x20, 0x06
EQUALS, AT_LEAST, ANY_BIT = 0x15, 0x35, 0x45
ALLOW, KILL, FAIL = 0x7FFF0000, 0x80000000, 0x00050000  # FAIL | errno
NUMBER, MACHINE, FIRST_ARGUMENT = 0, 4, 16  # where the kernel puts them


def program() -> bytes:
    """Return the filter for this machine; it is empty where the numbers are not known."""
    if platform.machine() not in MACHINES:
        return b""
    column, machine = MACHINES[platform.machine()]
    lines = [
        (LOAD, 0, 0, MACHINE),
        (EQUALS, 1, 0, machine),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
        (AT_LEAST, 0, 1, 0x40000000),
        (RETURN, 0, 0, KILL),
    ]
    for numbers in REFUSED.values():
        lines += [(EQUALS, 0, 1, numbers[column]), (RETURN, 0, 0, FAIL | errno.EPERM)]
    # clone3 hides its flags from us; without it the C library takes clone
    lines += [(EQUALS, 0, 1, CLONE3[column]), (RETURN, 0, 0, FAIL | errno.ENOSYS)]
    lines += [
        (EQUALS, 0, 3, CLONE[column]),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (ANY_BIT, 0, 1, NEW_USER),
        (RETURN, 0, 0, FAIL | errno.EPERM),
        (RETURN, 0, 0, ALLOW),
    ]
    return b"".join(struct.pack("HBBI", *line) for line in lines)
