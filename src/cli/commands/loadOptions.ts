import { resolve } from 'node:path';
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Issue } from '#core/plan/issues.ts';
import { ENGINES, type PlanInput } from '#core/plan/schema/plan.ts';
import { splitCertificates, holdsPrivateKey, COPY_WHOLE_PEM_HINT } from '#core/plan/certificates.ts';
import { describeReadFailure } from '#core/base/errors.ts';
import { badOption, collect, parseDurationSeconds } from '../input/optionReader.ts';
import { secretSource } from '../input/secrets.ts';

export interface LoadFlags {
  readonly engine?: string;
  /** commander's name for `--no-keepalive`. The value is true unless the option was given. */
  readonly keepalive: boolean;
  readonly http2?: boolean;
  readonly streams?: string;
  readonly timeout?: string;
  readonly insecure?: boolean;
  readonly resumeTls?: string;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly keyPassphrase?: string;
  readonly unixSocket?: string;
  readonly localAddress: string[];
  readonly resolve: string[];
  readonly countCache?: boolean;
  readonly watchPage: string[];
  readonly watchFrom?: string;
}

/** Help text of the argument for a plan or a preset. */
export const PLAN_OR_PRESET = 'id of a preset (see: holdfast presets) or a plan in YAML or JSON';

export function insecureOption(): Option {
  return new Option('--insecure', 'accept any certificate of https servers');
}

export function answersOption(): Option {
  return new Option('--answers <file>', 'answers to the preset’s questions, from a YAML or JSON file; --set wins');
}

export function addAccessOptions(command: Command): Command {
  return command
    .optionsGroup('Requests:')
    .option(
      '-H, --header <header>',
      "a header 'Name: value'; the value or the whole header may be @file or env:NAME (repeatable)",
      collect,
      [],
    )
    .option('-C, --cookie <cookies>', 'cookies such as a=1; b=2, or @file or env:NAME', collect, []);
}

export function addLoadOptions(command: Command): Command {
  return command
    .optionsGroup('Connections:')
    .addOption(
      new Option(
        '--engine <engine>',
        'engine that sends the requests; auto uses native if autocannon cannot send the plan; k6 must be installed',
      ).choices(ENGINES),
    )
    .option('--no-keepalive', 'open a new connection for every request')
    .option('--http2', 'use HTTP/2, as browsers do with most https servers')
    .option('--streams <number>', 'number of connections of the load that share one HTTP/2 connection')
    .option('--timeout <time>', 'time-out of a request, from connecting to the last byte, for example 30s')
    .addOption(insecureOption())
    .option('--resume-tls <share>', 'share of connections that resume a TLS session, like returning visitors, for example 0.5')
    .option('--ca <file>', 'trust the certificates in this PEM file instead of public authorities')
    .option('--cert <file>', 'use the client certificate in this PEM file')
    .option('--key <file>', 'its private key: a PEM file, or env:NAME (default: the file of --cert)')
    .option('--key-passphrase <secret>', 'passphrase of the key: env:NAME, @file or ask:LABEL')
    .option('--unix-socket <path>', 'connect to this Unix socket instead of the host and port of the address')
    .option('--local-address <ip>', 'connect from this address of this computer (repeatable; several are used in turn)', collect, [])
    .option('--resolve <host:port:ip>', 'connect to this IP address instead of resolving the host (repeatable)', collect, [])
    .optionsGroup('During the load:')
    .option(
      '--watch-page <url>',
      'visit this page with a real browser during the load: an address, or a path at the target (repeatable)',
      collect,
      [],
    )
    .option('--watch-from <host>', 'host whose browser (Chromium, Chrome or Edge) visits the pages of --watch-page (see: holdfast hosts)')
    .option('--count-cache', 'count responses from a cache, by headers such as X-Cache and Age');
}

/** Converts flags to plan fields by path, as YAML for `--set`, or returns every problem. */
export async function readLoadFlags(
  flags: LoadFlags,
  currentDirectory: string,
): Promise<{ readonly fields: ReadonlyMap<string, string>; readonly issues: readonly Issue[] }> {
  const fields = new Map<string, string>();
  const issues: Issue[] = [];
  if (flags.engine !== undefined) fields.set('engine', flags.engine);
  if (!flags.keepalive) fields.set('connections.reuse', 'never');
  if (flags.http2) fields.set('connections.protocol', 'h2');
  if (flags.streams !== undefined) fields.set('connections.streams', flags.streams);
  if (flags.timeout !== undefined) {
    const seconds = parseDurationSeconds(flags.timeout);
    if (seconds === null) issues.push(badOption('--timeout', flags.timeout, 'Enter a time such as 30, 30s or 2m.'));
    else fields.set('timeoutSeconds', String(seconds));
  }
  if (flags.resumeTls !== undefined) fields.set('tls.resume', flags.resumeTls);
  if (flags.insecure) fields.set('tls.verify', 'false');
  if (flags.ca !== undefined) {
    if (flags.insecure)
      issues.push(badOption('--ca', flags.ca, 'Use either --ca or --insecure: with --insecure, no certificate is verified.'));
    const { pem, issue } = await readCertificates('--ca', flags.ca, currentDirectory);
    if (issue) issues.push(issue);
    else fields.set('tls.verify', 'true').set('tls.ca', JSON.stringify(pem));
  }
  const own = await readClientCertificate(flags, currentDirectory);
  issues.push(...own.issues);
  if (own.field !== null) fields.set('tls.clientCertificate', JSON.stringify(own.field));
  if (flags.unixSocket !== undefined) fields.set('connections.socketPath', JSON.stringify(resolve(currentDirectory, flags.unixSocket)));
  if (flags.localAddress.length > 0) fields.set('connections.localAddresses', JSON.stringify(flags.localAddress));
  if (flags.resolve.length > 0) fields.set('connections.resolve', JSON.stringify(flags.resolve));
  if (flags.watchPage.length > 0) fields.set('watchPages', JSON.stringify(flags.watchPage.map((url) => ({ url }))));
  if (flags.watchFrom !== undefined) fields.set('watchFrom', JSON.stringify(flags.watchFrom));
  if (flags.countCache) fields.set('countsCache', 'true');
  return { fields, issues };
}

type ReadCertificates =
  | { readonly pem: string; readonly holdsKey: boolean; readonly issue?: undefined }
  | { readonly pem?: undefined; readonly issue: Issue };

/** Reads only the certificates from a PEM file, because a key must not get into a plan. */
async function readCertificates(option: string, file: string, currentDirectory: string): Promise<ReadCertificates> {
  const unusableIssue = (message: string, hint: string): Issue => ({ level: 'error', code: 'BAD_OPTION', path: option, message, hint });
  let text: string;
  try {
    text = await readFile(resolve(currentDirectory, file), 'latin1');
  } catch (cause) {
    return {
      issue: unusableIssue(describeReadFailure(file, cause).message, `Check its name. Holdfast looks for it in ${currentDirectory}.`),
    };
  }
  const certificates = splitCertificates(text);
  if (certificates.length === 0) {
    return {
      issue: unusableIssue(
        `No certificate in PEM format in ${file}.`,
        'Such a file has a line -----BEGIN CERTIFICATE-----. To convert one from DER: openssl x509 -inform der -in FILE -out FILE.pem',
      ),
    };
  }
  const damaged = certificates.findIndex((certificate) => !isCertificate(certificate));
  if (damaged >= 0) {
    return { issue: unusableIssue(`Certificate ${damaged + 1} in ${file} is damaged.`, COPY_WHOLE_PEM_HINT) };
  }
  return { pem: `${certificates.join('\n')}\n`, holdsKey: holdsPrivateKey(text) };
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).subject !== undefined;
  } catch {
    return false;
  }
}

type CertificateField = NonNullable<NonNullable<PlanInput['tls']>['clientCertificate']>;

/** Builds the plan field for `--cert`, `--key` and `--key-passphrase`: the certificate and a reference to its key. */
async function readClientCertificate(
  { cert, key, keyPassphrase }: { readonly cert?: string; readonly key?: string; readonly keyPassphrase?: string },
  currentDirectory: string,
): Promise<{ readonly field: CertificateField | null; readonly issues: readonly Issue[] }> {
  if (cert === undefined) {
    const alone = key === undefined ? (['--key-passphrase', keyPassphrase] as const) : (['--key', key] as const);
    if (alone[1] === undefined) return { field: null, issues: [] };
    // The message omits the value, which may be a passphrase in clear text.
    return { field: null, issues: [badOption(alone[0], '', 'Name its certificate: --cert FILE.')] };
  }
  const issues: Issue[] = [];
  const certificates = await readCertificates('--cert', cert, currentDirectory);
  if (certificates.issue) issues.push(certificates.issue);
  else if (key === undefined && !certificates.holdsKey)
    issues.push(badOption('--cert', cert, 'This file has no private key. Name the file that has it: --key FILE.'));
  const passphrase = keyPassphrase === undefined ? null : secretSource(keyPassphrase, currentDirectory);
  if (passphrase?.from === 'text')
    issues.push(
      badOption(
        '--key-passphrase',
        '',
        'Everybody on this computer can read a command line. Use env:NAME, @file, or ask:Passphrase to be asked.',
      ),
    );
  if (issues.length > 0 || certificates.pem === undefined) return { field: null, issues };
  const secret = keyReference(key ?? cert, currentDirectory);
  return {
    field: {
      certificate: certificates.pem,
      key: { secret },
      ...(passphrase?.from === 'reference' ? { passphrase: { secret: passphrase.reference } } : {}),
    },
    issues,
  };
}

/** Returns the reference to a key. A value without a prefix is a file path. */
function keyReference(key: string, currentDirectory: string): string {
  const source = secretSource(key, currentDirectory);
  if (source.from === 'reference') return source.reference;
  const file = secretSource(`@${key}`, currentDirectory);
  return file.from === 'reference' ? file.reference : key;
}
