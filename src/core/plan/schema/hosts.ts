import { z } from 'zod';

/** How a host is called: it stands in commands and in names of files, so it is a plain word. */
export const hostNameSchema = z
  .string()
  .regex(
    /^(?=.{1,63}$)[\p{L}\p{N}](?:(?:[\p{L}\p{M}\p{N}._-]| (?! ))*[\p{L}\p{M}\p{N}])?$/u,
    'Use letters, digits, dots, dashes, underscores and single spaces, at most 63 characters, with a letter or digit at both ends.',
  );

/** How this computer is called where places are chosen, and where a result names them. */
export const HERE = 'here';
/** From which one load is made at most. */
export const MOST_PLACES = 16;
export const THIS_COMPUTER = 'this computer';

/** Whether a name among places stands for this computer. Names of hosts differ by more than the size of their letters. */
export function isHere(name: string): boolean {
  return name.toLowerCase() === HERE;
}

/** Where a load is made: names of hosts, and `here` for this computer. */
export const placesSchema = z.array(hostNameSchema).min(1).max(MOST_PLACES);

/** The name of a host of the list: any but that of this computer. */
const ownNameSchema = hostNameSchema.refine(
  (name) => !isHere(name),
  `“${HERE}” is this computer, so no host can have that name. Choose another name. Its address, or its alias in ~/.ssh/config, may be “${HERE}”.`,
);

/** A name of DNS, an IP address (without brackets), or an alias of the person's OpenSSH configuration. */
const addressSchema = z
  .string()
  .max(253)
  .regex(/^[A-Za-z0-9:][A-Za-z0-9._:%-]*$/, 'Enter a host name or an IP address, without user and port.');

/** What is typed as an address of SSH: `[user@]host[:port]`, also with `ssh://` before it. Parts that are missing are null. */
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

const PORTS = 'Enter a number from 1 to 65535.';
const portSchema = z.int(PORTS).min(1, PORTS).max(65_535, PORTS);

/** One host to go through: [user@]host[:port]. */
const JUMP = String.raw`(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?(?:\[[0-9A-Fa-f:%.]+\]|[A-Za-z0-9][A-Za-z0-9._-]*)(?::\d{1,5})?`;
const jumpSchema = z
  .string()
  .max(1_000)
  .regex(new RegExp(`^${JUMP}(?:,${JUMP})*$`), 'Enter hosts as [user@]host[:port] in the order of the connection, separated by commas.');

/** The path of a private key. What lies there is read when it is used, and never stored. */
const keyPathSchema = z
  .string()
  .min(1)
  .max(1_000)
  // oxlint-disable-next-line no-control-regex -- [control characters are what is refused]
  .regex(/^[^\u0000-\u001f\u007f]+$/, 'Enter the path of a file.');

/** A machine that loads can be run from. null: as the OpenSSH configuration of the person says. No secret is part of it. */
export const hostSchema = z.strictObject({
  name: ownNameSchema,
  address: addressSchema,
  user: userSchema.nullable().default(null),
  port: portSchema.nullable().default(null),
  jump: jumpSchema.nullable().default(null),
  keyPath: keyPathSchema.nullable().default(null),
});
export type Host = z.infer<typeof hostSchema>;

/** How far a clock is ahead of ours, and by how much that may be wrong at most. */
export const clockOffsetSchema = z.strictObject({ aheadMs: z.number(), errorMs: z.number(), roundTripMs: z.number() });
export type ClockOffset = z.infer<typeof clockOffsetSchema>;

/** What a host tells of itself. null: it does not say. */
export const hostFactsSchema = z.strictObject({
  user: z.string(),
  hostname: z.string(),
  /** "Debian GNU/Linux 12". */
  system: z.string(),
  /** "Linux 6.1.0 x86_64". */
  kernel: z.string(),
  cores: z.int().nullable(),
  memoryBytes: z.number().nullable(),
  /** The newest Node that was found, whether or not it is new enough. */
  node: z.strictObject({ version: z.string(), path: z.string(), isEnough: z.boolean() }).nullable(),
  /** The npm package with Node for it; null where there is none. */
  nodePackage: z.string().nullable(),
});
export type HostFacts = z.infer<typeof hostFactsSchema>;

/** A connection that worked. */
export const hostReportSchema = z.strictObject({
  ...hostFactsSchema.shape,
  /** Its clock against ours; null when it has none that can be read. */
  clock: clockOffsetSchema.nullable(),
  roundTripMs: z.number(),
  /** What should be known about it, in sentences. */
  notes: z.array(z.string()),
});
export type HostReport = z.infer<typeof hostReportSchema>;
