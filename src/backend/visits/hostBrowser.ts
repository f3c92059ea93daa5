import { setTimeout as after } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { ClientChannel } from 'ssh2';
import { HoldfastError } from '#core/base/errors.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { shellQuoted } from '#backend/remote/host/clock.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { DISABLED_FEATURES, NO_WEBRTC } from '#backend/browser/openBrowser.ts';
import { DevtoolsPipe } from '#backend/browser/pipe.ts';
import { plainText } from '#backend/remote/ssh/problems.ts';
import { parseCpuTimes } from '#engine/procFiles.ts';
import { hostRules, type PlacedBrowser } from './browser.ts';
import { BROWSER_NAMES, MAC_APPS } from '../browser/findBrowser.ts';

const START_SECONDS = 60;
/** Interval of keepalive messages to the browser's host. Several of them fit into the silence after which the browser ends. */
const KEEPALIVE_INTERVAL_MS = 15_000;
/** Maximum wait until the browser and its folder are gone. */
const MAX_END_MS = 10_000;
/** Maximum size of the output of start-up files and of the browser's errors. */
const MAX_OUTPUT_CHARACTERS = 64_000;

/** The switches that Playwright uses, so that a remote browser measures like a local one. */
const SWITCHES = [
  '--remote-debugging-pipe',
  '--headless',
  '--no-startup-window',
  '--hide-scrollbars',
  '--mute-audio',
  '--disable-field-trial-config',
  '--disable-background-networking',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-back-forward-cache',
  '--disable-breakpad',
  '--disable-component-extensions-with-background-pages',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-extensions',
  DISABLED_FEATURES,
  ...NO_WEBRTC,
  '--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies',
  '--disable-hang-monitor',
  '--disable-ipc-flooding-protection',
  '--disable-popup-blocking',
  '--disable-renderer-backgrounding',
  '--disable-search-engine-choice-screen',
  '--disable-sync',
  '--enable-unsafe-swiftshader',
  '--force-color-profile=srgb',
  '--metrics-recording-only',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-service-autorun',
  '--password-store=basic',
  '--use-mock-keychain',
];

interface HostBrowserOptions {
  /** How much silence ends the browser. */
  readonly silence?: Silence;
  readonly wantedEveryMs?: number;
}

/**
 * Starts a browser on a host. The browser can reach only the hosts of the plan. Commands and replies pass through the connection, so
 * neither side opens a port. Browser, profile and connection end together. Throws `NO_BROWSER`, `BROWSER_FAILED` or `HOST_LOST`, and closes
 * the connection then.
 */
export async function openHostBrowser(
  connection: SshConnection,
  plan: Plan,
  { silence, wantedEveryMs = KEEPALIVE_INTERVAL_MS }: HostBrowserOptions = {},
): Promise<PlacedBrowser> {
  try {
    const channel = await connection.start(browserCommand([...SWITCHES, hostRules(plan)], silence));
    // Without this listener, an error would be thrown. The error also closes the channel, which is handled below.
    channel.on('error', () => {});
    const closed = new Promise<void>((resolve) => void channel.once('close', () => resolve()));
    const complaints = collectComplaints(channel);
    const { there, output } = await waitForStart(connection, channel, complaints);
    const browser = await attach(channel, output, () => hostBrowserFailed(connection.label, there.program, complaints()));
    const pollTimer = setInterval(() => {
      connection.run(`touch ${shellQuoted(`${there.folder}/wanted`)}`).catch(() => {});
    }, wantedEveryMs);
    pollTimer.unref();
    connection.onLost(() => clearInterval(pollTimer));
    return {
      browser,
      from: connection.label,
      name: plainText(`Chromium ${browser.version()}`, 80),
      readProcessors: () => readProcessors(connection),
      async end() {
        clearInterval(pollTimer);
        await Promise.race([browser.close().catch(() => {}), after(MAX_END_MS, undefined, { ref: false })]);
        channel.end();
        await Promise.race([closed, after(MAX_END_MS, undefined, { ref: false })]);
        connection.close();
      },
    };
  } catch (thrown) {
    connection.close();
    throw thrown;
  }
}

/** Collects the first part of the command's error output. */
function collectComplaints(channel: ClientChannel): () => string {
  let text = '';
  channel.stderr.on('data', (chunk: Buffer) => {
    text = `${text}${chunk.toString('utf8')}`.slice(0, MAX_OUTPUT_CHARACTERS);
  });
  return () => text;
}

/** Waits for the first line of the script. */
async function waitForStart(
  connection: SshConnection,
  channel: ClientChannel,
  complaints: () => string,
): Promise<{ readonly there: StartedBrowser; readonly output: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<NonNullable<ReturnType<typeof readStart>>>();
  const rejectStart = (): void => reject(hostBrowserFailed(connection.label, null, complaints()));
  let output = Buffer.from('\n');
  const take = (chunk: Buffer): void => {
    output = Buffer.concat([output, chunk]);
    const start = readStart(output);
    if (start !== null) resolve(start);
    else if (output.length > MAX_OUTPUT_CHARACTERS) rejectStart();
  };
  channel.on('data', take);
  channel.once('close', rejectStart);
  const late = setTimeout(rejectStart, START_SECONDS * 1_000);
  const forget = connection.addLostListener(reject);
  try {
    const { there, rest } = await promise;
    if (there === null) throw noBrowserOnHost(connection.label);
    return { there, output: rest };
  } finally {
    clearTimeout(late);
    forget();
    channel.off('data', take);
    channel.off('close', rejectStart);
  }
}

async function attach(channel: ClientChannel, bytesAhead: Buffer, failed: () => HoldfastError): Promise<Browser> {
  const { chromium } = await import('playwright-core');
  const pipe = new DevtoolsPipe(channel, bytesAhead);
  const ended = new Promise<never>((_resolve, reject) => void channel.once('close', () => reject(failed())));
  ended.catch(() => {});
  const connected = chromium.connectOverCDP(pipe, { timeout: START_SECONDS * 1_000 }).catch(() => {
    throw failed();
  });
  connected.catch(() => {});
  return Promise.race([connected, ended]);
}

/** Reads the processor times of a host. Returns null if the host lacks /proc/stat or is lost. */
async function readProcessors(connection: SshConnection): ReturnType<PlacedBrowser['readProcessors']> {
  try {
    return parseCpuTimes((await connection.run('head -n 1 /proc/stat')).out);
  } catch {
    return null;
  }
}

function noBrowserOnHost(label: string): HoldfastError {
  return new HoldfastError({
    code: 'NO_BROWSER',
    message: `Watching a page from ${label} needs Chromium, Chrome or Edge there. None of them was found.`,
    hint: `Install one on ${label} (Debian and Ubuntu: apt install chromium). Or watch from this computer: remove watchFrom from the plan, or --watch-from.`,
  });
}

function hostBrowserFailed(label: string, program: string | null, complaints: string): HoldfastError {
  // The last line states the reason. Earlier lines are about buses and graphics, which servers do not have.
  const last = complaints.trim().split('\n').at(-1) ?? '';
  const what =
    program === null ? `No browser could be started on ${label}` : `The browser ${plainText(program)} of ${label} ended at its start`;
  return new HoldfastError({
    code: 'BROWSER_FAILED',
    message: `${what}${last === '' ? '' : `: ${plainText(last, 300)}`}.`,
    hint: `Start it once by hand on ${label} to see whether it runs, with --headless. Or watch from this computer.`,
  });
}

/** Marks the first line of the script's own output. Output of start-up files before this line is ignored. */
const MARK = 'holdfast browser 1';

/** Silence after which the browser ends, as a number of rounds without a keepalive message. */
interface Silence {
  readonly rounds: number;
  readonly roundSeconds: number;
}
const SILENCE: Silence = { rounds: 12, roundSeconds: 5 };

/** The first line of the script's output: its folder and the browser's path. */
interface StartedBrowser {
  /** Folder of the browser. As a keepalive message, the client repeatedly creates the file `wanted` in it. */
  readonly folder: string;
  readonly program: string;
}

const BROWSER_PLACES = [
  ...BROWSER_NAMES.map((name) => `"$(command -v ${name})"`),
  ...MAC_APPS.flatMap((app) => ['/Applications', '"$HOME"/Applications'].map((home) => `${home}/'${app}.app/Contents/MacOS/${app}'`)),
];

/**
 * Finds a browser and starts it with pipes for commands and replies, so it opens no port. The browser ends when its input ends, and thus
 * with the connection; then its folder is removed. The script is one line, because csh cannot quote line breaks. The browser runs in the
 * background: otherwise a signal to the shell would leave the folder.
 */
const script = ({ rounds, roundSeconds }: Silence): string =>
  [
    'trap : HUP INT TERM PIPE',
    'exec 3<&0 4>&1',
    'PATH=$PATH:/usr/local/bin:/snap/bin:/opt/homebrew/bin',
    'root=${TMPDIR:-/tmp}',
    // Removes folders left by a crash of the host or by a killed shell.
    'for old in "$root"/holdfast-visits-*; do owner=${old##*/holdfast-visits-}; if [ -O "$old" ]; then kill -0 "${owner%%-*}" 2>/dev/null || rm -rf "$old"; fi; done',
    `for found in ${BROWSER_PLACES.join(' ')}; do if [ -f "$found" ] && [ -x "$found" ]; then break; fi; found=; done`,
    `if [ -z "$found" ]; then printf "\\n${MARK} none\\n"; exit 0; fi`,
    'folder=$(mktemp -d "$root/holdfast-visits-$$-XXXXXX") || exit 1',
    ': > "$folder/wanted"',
    // Chromium does not start its sandbox as root.
    'if [ "$(id -u)" = 0 ]; then set -- "$@" --no-sandbox; fi',
    `printf "\\n${MARK}\\t%s\\t%s\\n" "$folder" "$found"`,
    'HOME=$folder TMPDIR=$folder "$found" "$@" --user-data-dir="$folder/profile" </dev/null >/dev/null & browser=$!',
    `( trap "" HUP INT TERM; silent=0; while sleep ${roundSeconds}; do if rm "$folder/wanted"; then silent=0; else silent=$((silent + 1)); fi; if [ $silent -ge ${rounds} ]; then kill $browser; sleep 3; kill -9 $browser; fi; done ) 3<&- 4>&- </dev/null >/dev/null 2>&1 & guard=$!`,
    'wait $browser',
    // A signal may have ended the wait while the browser still runs.
    'kill $browser 2>/dev/null && wait $browser',
    'kill -9 $guard',
    'rm -rf "$folder" 2>/dev/null || { sleep 1; rm -rf "$folder"; }',
  ].join('; ');

/** Returns the command that starts a browser on a host with these arguments. */
function browserCommand(args: readonly string[], silence: Silence = SILENCE): string {
  return `exec sh -c ${shellQuoted(script(silence))} sh ${args.map(shellQuoted).join(' ')}`;
}

/** Parses the first line of the script. Returns it with the bytes that follow, or null while it is incomplete. */
export function readStart(output: Buffer): { readonly there: StartedBrowser | null; readonly rest: Buffer } | null {
  const at = output.indexOf(`\n${MARK}`);
  const end = at < 0 ? -1 : output.indexOf('\n', at + 1);
  if (end < 0) return null;
  const [, folder, program] = output.toString('utf8', at + 1, end).split('\t');
  const rest = output.subarray(end + 1);
  return folder === undefined || program === undefined ? { there: null, rest } : { there: { folder, program }, rest };
}
