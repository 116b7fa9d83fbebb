type Machine = {
  audit: number;
  ioctl: number;
  socket: number;
  /** Keys of the session, kernel programs, performance counters, user faults. */
  refused: readonly number[];
  /** Those that give a file its rights, by the place of the rights among their arguments. */
  rights: readonly (readonly [number: number, argument: number])[];
  /** Those that open a file, which may be made: by the place of what says so; its rights come next. */
  opening: readonly (readonly [number: number, argument: number])[];
};

const machines: Readonly<Partial<Record<NodeJS.Architecture, Machine>>> = {
  x64: {
    audit: 0xc000003e,
    ioctl: 16,
    socket: 41,
    refused: [248, 249, 250, 298, 321, 323],
    rights: [
      [85, 1],
      [90, 1],
      [91, 1],
      [133, 1],
      [259, 2],
      [268, 2],
      [452, 2],
    ],
    opening: [
      [2, 1],
      [257, 2],
    ],
  },
  arm64: {
    audit: 0xc00000b7,
    ioctl: 29,
    socket: 198,
    refused: [217, 218, 219, 241, 280, 282],
    rights: [
      [33, 2],
      [52, 1],
      [53, 2],
      [452, 2],
    ],
    opening: [[56, 2]],
  },
};

/** The same numbers on both: `io_uring` and `openat2`, whose requests no filter sees. */
const unseen = [425, 426, 427, 437];
/** The right to run as the owner: a file with it would be there for others, outside, when the command is over. */
const asOwner = 0o4000;
/** O_CREAT and what is its own of O_TMPFILE. */
const making = 0x40 | 0x40_0000;
/** TIOCSTI and TIOCLINUX: they type into a terminal. */
const typing = [0x5412, 0x541c];
/** Unix, IPv4, IPv6, netlink. Others, e.g. to the host of a virtual machine, know no network namespace. */
const families = [1, 2, 10, 16];

const load = (offset: number) => instruction(0x20, 0, 0, offset);
const skipUnless = (value: number, skipped: number) => instruction(0x15, 0, skipped, value);
const skipUnlessSet = (bits: number, skipped: number) => instruction(0x45, 0, skipped, bits);
const argument = (index: number) => 16 + 8 * index;
const answer = (value: number) => instruction(0x06, 0, 0, value);
const allow = answer(0x7fff0000);
const refuse = (errno: number) => answer(0x00050000 | errno);
const [notPermitted, noSuchCall, noSuchFamily] = [1, 38, 97];
/** Calls of the x32 kind have numbers from here on. */
const otherKind = 0x40000000;

/**
 * A filter of system calls (classic BPF) for what namespaces do not hold back; undefined where the numbers are not
 * known.
 */
export function syscallFilter(arch: NodeJS.Architecture): Uint8Array | undefined {
  const machine = machines[arch];
  if (!machine) return undefined;
  const typingRules = typing.flatMap((request) => [skipUnless(request, 1), refuse(notPermitted)]);
  const familyRules = families.flatMap((family) => [skipUnless(family, 1), allow]);
  const rightsRules = (index: number) => [
    load(argument(index)),
    skipUnlessSet(asOwner, 1),
    refuse(notPermitted),
    allow,
  ];
  const openingRules = (index: number) => {
    const rights = rightsRules(index + 1);
    return [load(argument(index)), skipUnlessSet(making, rights.length - 1), ...rights];
  };
  const callRules = [
    ...machine.rights.map(([number, index]) => [number, rightsRules(index)] as const),
    ...machine.opening.map(([number, index]) => [number, openingRules(index)] as const),
  ];
  const ioctlRules = [load(24), ...typingRules, allow];
  const socketRules = [load(16), ...familyRules, refuse(noSuchFamily)];
  return Buffer.concat([
    load(4),
    skipUnless(machine.audit, 1),
    instruction(0x05, 0, 0, 1),
    refuse(notPermitted),
    load(0),
    instruction(0x35, 0, 1, otherKind),
    refuse(notPermitted),
    ...machine.refused.flatMap((number) => [skipUnless(number, 1), refuse(notPermitted)]),
    ...unseen.flatMap((number) => [skipUnless(number, 1), refuse(noSuchCall)]),
    ...callRules.flatMap(([number, rules]) => [skipUnless(number, rules.length), ...rules]),
    skipUnless(machine.ioctl, ioctlRules.length),
    ...ioctlRules,
    skipUnless(machine.socket, socketRules.length),
    ...socketRules,
    allow,
  ]);
}

function instruction(code: number, ifTrue: number, ifFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value, 4);
  return bytes;
}
