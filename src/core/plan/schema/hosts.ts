import { z } from 'zod';

/** Name of a host. It must be a plain word, because it is used in commands and file names. */
export const hostNameSchema = z
  .string()
  .regex(
    /^(?=.{1,63}$)[\p{L}\p{N}](?:(?:[\p{L}\p{M}\p{N}._-]| (?! ))*[\p{L}\p{M}\p{N}])?$/u,
    'Use letters, digits, dots, dashes, underscores and single spaces, at most 63 characters, with a letter or digit at both ends.',
  );

/** Name of this computer among load generators, in plans and results. */
export const HERE = 'here';
export const MAX_LOAD_GENERATORS = 16;
export const THIS_COMPUTER = 'this computer';

/** Returns whether a load generator's name means this computer, in upper or lower case. */
export function isHere(name: string): boolean {
  return name.toLowerCase() === HERE;
}

/** Load generators: names of hosts, and `here` for this computer. */
export const generatorNamesSchema = z.array(hostNameSchema).min(1).max(MAX_LOAD_GENERATORS);

/** Name of a host in a list. It must not be `here`, the name of this computer. */
const ownNameSchema = hostNameSchema.refine(
  (name) => !isHere(name),
  `“${HERE}” is this computer, so no host can have that name. Choose another name. Its address, or its alias in ~/.ssh/config, may be “${HERE}”.`,
);

/** A DNS name, an IP address (without brackets), or an alias from the user's OpenSSH configuration. */
export const addressSchema = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9:][A-Za-z0-9._:%-]*$/, 'Enter a host name or an IP address, without user and port.');

/** Parses a typed SSH address: `[user@]host[:port]`, optionally after `ssh://`. Missing parts are null. */
export function readSshAddress(text: string): { readonly user: string | null; readonly address: string; readonly port: string | null } {
  const typed = text
    .trim()
    .replace(/^ssh:\/\//i, '')
    .replace(/\/$/, '');
  const [, user, ipv6, host = typed, port] =
    /^(?:([^@\s]+)@)?(?:\[([0-9A-Fa-f:.%]+)\]|([^:@\s]+|[^@\s]*:[^@\s]*:[^@\s]*))(?::(\d+))?$/.exec(typed) ?? [];
  return { user: user ?? null, address: ipv6 ?? host, port: port ?? null };
}

const userSchema = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9._@\\-]{0,63}$/, 'Enter the name of the user on that host.');

const PORT_HINT = 'Enter a number from 1 to 65535.';
const portSchema = z.int(PORT_HINT).min(1, PORT_HINT).max(65_535, PORT_HINT);

/** Matches a jump host: [user@]host[:port]. */
const JUMP_PATTERN = String.raw`(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?(?:\[[0-9A-Fa-f:%.]+\]|[A-Za-z0-9][A-Za-z0-9._-]*)(?::\d{1,5})?`;
const jumpSchema = z
  .string()
  .max(1_000)
  .regex(
    new RegExp(`^${JUMP_PATTERN}(?:,${JUMP_PATTERN})*$`),
    'Enter hosts as [user@]host[:port] in the order of the connection, separated by commas.',
  );

/** Path of a private key. The key is read on use and never stored. */
const keyPathSchema = z
  .string()
  .min(1)
  .max(1_000)
  // oxlint-disable-next-line no-control-regex -- [control characters are what is refused]
  .regex(/^[^\u0000-\u001f\u007f]+$/, 'Enter the path of a file.');

/** A machine that can generate load. Fields that are null are as in the user's OpenSSH configuration. Contains no secret. */
export const hostSchema = z.strictObject({
  name: ownNameSchema,
  address: addressSchema,
  user: userSchema.nullable().default(null),
  port: portSchema.nullable().default(null),
  jump: jumpSchema.nullable().default(null),
  keyPath: keyPathSchema.nullable().default(null),
});
export type Host = z.infer<typeof hostSchema>;

/** How far a clock is ahead of this computer's, and the maximum error. */
export const clockOffsetSchema = z.strictObject({ aheadMs: z.number(), errorMs: z.number(), roundTripMs: z.number() });
export type ClockOffset = z.infer<typeof clockOffsetSchema>;

/** Facts that a host reports. null: not reported. */
export const hostFactsSchema = z.strictObject({
  user: z.string(),
  hostname: z.string(),
  /** Operating system, such as "Debian GNU/Linux 12". */
  system: z.string(),
  /** Kernel, such as "Linux 6.1.0 x86_64". */
  kernel: z.string(),
  cores: z.int().nullable(),
  memoryBytes: z.number().nullable(),
  /** The newest Node.js that was found, even if it is too old. */
  node: z.strictObject({ version: z.string(), path: z.string(), isEnough: z.boolean() }).nullable(),
  /** npm package with Node.js for this host; null if there is none. */
  nodePackage: z.string().nullable(),
});
export type HostFacts = z.infer<typeof hostFactsSchema>;

/** Report of a successful connection. */
export const hostReportSchema = z.strictObject({
  ...hostFactsSchema.shape,
  /** Clock offset of the host; null if its clock cannot be read. */
  clock: clockOffsetSchema.nullable(),
  roundTripMs: z.number(),
  notes: z.array(z.string()),
});
export type HostReport = z.infer<typeof hostReportSchema>;
