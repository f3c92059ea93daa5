import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { Client } from '#contract/rpc/client.ts';
import { type CrawlReport, crawlSentences, crawlTable, isVisitable } from '#core/work/crawl/report.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { askKey, listAllAsks } from '#core/review/asks/ask.ts';
import { targetSchema, type TextOrSecret } from '#core/plan/schema/plan.ts';
import { askReference, readReference } from '#core/plan/secretReference.ts';
import { type CliContext, type AddCommand, withClient } from '../context.ts';
import { EXIT, type ExitCode } from '../exitCodes.ts';
import { collect, OptionReader } from '../input/optionReader.ts';
import { jsonText } from '../output/jsonFile.ts';
import { printIssues, textTable } from '../output/problems.ts';
import { createSecretKeeper, plainText, readAccess, mayShareLogin, LOGIN_OF_SAME_SERVER } from '../plans/access.ts';
import { addAllowOption, type AllowFlags, Consent } from '../input/consent.ts';
import { isSensitiveHeader, secretSource, splitHeader } from '../input/secrets.ts';
import { insecureOption } from './loadOptions.ts';
import { jsonOption } from './runOptions.ts';

interface CrawlFlags extends AllowFlags {
  readonly pages: string;
  readonly depth: string;
  readonly time: string;
  /** commander's name for `--no-resources`. The value is true unless the option was given. */
  readonly resources: boolean;
  readonly cookie: string[];
  readonly header: string[];
  readonly username?: string;
  readonly password?: string;
  readonly loginAt?: string;
  readonly insecure?: boolean;
  readonly save?: string;
  readonly json?: boolean;
}

export const addCrawl: AddCommand = (program, { context, exit }) => {
  const command = program
    .command('crawl')
    .description('follow all links of a site as one visitor, to find slow pages and broken links')
    .argument('<address>', 'the page to start from')
    .option('--pages <n>', 'visit at most this many pages', '100')
    .option('--depth <n>', 'follow at most this many links from the first page', '5')
    .option('--time <time>', 'end after this time', '2m')
    .option('--no-resources', 'leave out style sheets, scripts and images')
    .option('--cookie <cookie>', 'send this cookie: name=value, @file, env:NAME or ask:LABEL', collect, [])
    .option('--header <header>', 'send this header: Name: value, @file or env:NAME', collect, [])
    .option('--username <name>', 'log in first, with the form at the address or at --login-at')
    .option('--password <secret>', 'the password: @file, env:NAME or ask:LABEL')
    .option('--login-at <address>', 'the page with the login form')
    .addOption(insecureOption())
    .option('--save <file>', 'save the pages without errors as answers to a preset’s questions, for: holdfast run PRESET --answers FILE')
    .addOption(jsonOption());
  addAllowOption(command).action(async (address: string, flags: CrawlFlags) => {
    exit(await crawl(address, flags, context));
  });
};

async function crawl(address: string, flags: CrawlFlags, context: CliContext): Promise<ExitCode> {
  const reader = new OptionReader();
  const bounds = {
    maxPages: reader.integer('--pages', flags.pages),
    maxDepth: reader.integer('--depth', flags.depth),
    maxSeconds: reader.seconds('--time', flags.time),
    resources: flags.resources,
  };
  if (!/^https?:\/\//i.test(address) || !URL.canParse(address))
    reader.refuse('address', address, 'Enter a full address, for example http://school.example.org/.');
  if ((flags.username === undefined) !== (flags.password === undefined))
    reader.refuse('--username', flags.username ?? '', 'Give both --username and --password, or neither.');
  else if (flags.loginAt !== undefined && !mayShareLogin(flags.loginAt, address))
    reader.refuse('--login-at', flags.loginAt, LOGIN_OF_SAME_SERVER);
  if (reader.issues.length > 0) {
    await printIssues(context.err, reader.issues);
    return EXIT.failed;
  }
  const consent = new Consent(flags.allow, context);
  const addresses = [address, ...(flags.loginAt === undefined ? [] : [flags.loginAt])];
  await consent.agreeToAsks(listAllAsks({ targets: addresses.map((url) => ({ url })) }));
  const report = await withClient(context, async (client) => {
    const tls = { verify: flags.insecure !== true };
    const access = await readAccess({ cookies: flags.cookie, headers: flags.header }, context, createSecretKeeper(client));
    const cookie = (await logIn(address, flags, context, client, tls)) ?? access.cookie;
    const target = targetSchema.parse({ url: address, headers: access.headers, ...(cookie === undefined ? {} : { cookie }) });
    return crawlSite(client, { target, bounds, tls, agreed: listAllAsks({ targets: [target] }).map(askKey) }, context);
  });
  if (report === null) return EXIT.stoppedByUser;
  await context.out.write(
    flags.json === true ? jsonText(report) : `${textTable(crawlTable(report))}\n${crawlSentences(report).join('\n')}\n`,
  );
  if (flags.save !== undefined) await saveAnswers(flags.save, address, report, flags, context);
  return EXIT.fine;
}

async function logIn(
  address: string,
  { username, password, loginAt }: CrawlFlags,
  context: CliContext,
  client: Client,
  tls: { verify: boolean },
): Promise<TextOrSecret | undefined> {
  if (username === undefined || password === undefined) return undefined;
  const { cookie, explanation } = await client.call('targets.login', {
    url: loginAt ?? address,
    username,
    password: await plainText(password, context),
    tls,
    agreed: listAllAsks({ targets: [{ url: loginAt ?? address }] }).map(askKey),
  });
  await context.err.write(`${explanation}\n`);
  return cookie;
}

/** Crawls the site. Returns null if the user stopped the crawl. */
function crawlSite(
  client: Client,
  input: Parameters<typeof client.open<'sites.crawl'>>[1],
  context: CliContext,
): Promise<CrawlReport | null> {
  return new Promise((done, reject) => {
    let report: CrawlReport | null = null;
    const leave = client.open('sites.crawl', input, {
      onItem: ({ visited, known, now, report: found }) => {
        report = found;
        if (found === null) void context.err.redraw(`${visited} of ${known} known: ${now.slice(0, 60)}`);
      },
      onEnd(problem?: HoldfastError) {
        void context.err.redraw('');
        release();
        if (problem) reject(problem);
        else done(report);
      },
    });
    const release = context.onInterrupt(() => {
      leave();
      release();
      done(null);
    });
  });
}

/** Access options of a crawl, as typed. */
interface AccessOptions {
  readonly cookie: readonly string[];
  readonly header: readonly string[];
  readonly username?: string;
  readonly password?: string;
  readonly loginAt?: string;
  readonly insecure?: boolean;
}

/**
 * Saves the pages that responded and the access options for `run --answers`. Plain-text secrets become prompts, so that the file contains
 * none.
 */
async function saveAnswers(
  file: string,
  address: string,
  report: CrawlReport,
  way: AccessOptions,
  { currentDirectory, err }: Pick<CliContext, 'currentDirectory' | 'err'>,
): Promise<void> {
  const pages = report.pages.filter(isVisitable).map(({ path }) => path);
  const path = resolve(currentDirectory, file);
  const answers = { ...crawlAnswers(address, way, currentDirectory), pages: pages.join('\n') };
  try {
    await writeFile(path, /\.json$/i.test(file) ? jsonText(answers) : stringify(answers));
  } catch (cause) {
    throw new HoldfastError(
      { code: 'NOT_SAVED', message: `${path} cannot be written.`, hint: 'Name a file in a folder with write permission.' },
      { cause },
    );
  }
  await err.write(`Saved ${pages.length === 1 ? '1 page' : `${pages.length} pages`} in ${path}. Remove the ones that you do not want.\n`);
}

function crawlAnswers(address: string, way: AccessOptions, currentDirectory: string): Record<string, string | boolean | string[]> {
  const { host } = new URL(address);
  const target = new URL('/', address).href;
  const loginAt = way.loginAt ?? address;
  const headers = way.header.map((header) => headerSetting(header, currentDirectory));
  return {
    target,
    ...(way.username === undefined || way.password === undefined
      ? cookieAnswer(way.cookie, host, currentDirectory)
      : {
          username: way.username,
          password: secretReference(way.password, `Password of ${way.username} at ${host}`, currentDirectory),
          ...(loginAt === target ? {} : { loginAt }),
        }),
    ...(headers.length === 0 ? {} : { header: headers }),
    ...(way.insecure === true ? { 'tls.verify': false } : {}),
  };
}

/** Returns the answer to the question for a cookie. Several plain-text cookies become one prompt. */
function cookieAnswer(cookies: readonly string[], host: string, currentDirectory: string): { cookie?: string } {
  const [only] = cookies;
  return only === undefined ? {} : { cookie: secretReference(only, `Cookies for ${host}, written a=1; b=2`, currentDirectory) };
}

/** Returns the value for `--set header=`. A header file is read again by each run. */
function headerSetting(text: string, currentDirectory: string): string {
  if (text.startsWith('@')) return `@${resolve(currentDirectory, text.slice(1))}`;
  if (readReference(text)?.kind === 'env') return text;
  const header = splitHeader(text);
  if (header === null) return text;
  const { from } = secretSource(header.value, currentDirectory);
  const isSecret = from === 'reference' || isSensitiveHeader(header.name);
  return isSecret ? `${header.name}: ${secretReference(header.value, header.name, currentDirectory)}` : text;
}

/** Returns a reference to a secret. A plain-text secret becomes a prompt. */
function secretReference(text: string, label: string, currentDirectory: string): string {
  const source = secretSource(text, currentDirectory);
  return source.from === 'reference' ? source.reference : askReference(label);
}
