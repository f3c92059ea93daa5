import { shellQuoted } from '#backend/remote/host/clock.ts';
import { BROWSER_NAMES, MAC_APPS } from '#backend/browser/findBrowser.ts';

/** Marks the first line of the script. Output of start-up files before it is ignored. */
const MARK = 'holdfast browser 1';

/** The browser ends after this many rounds without a keepalive sign. */
export interface Silence {
  readonly rounds: number;
  readonly roundSeconds: number;
}
const SILENCE: Silence = { rounds: 12, roundSeconds: 5 };

/** The first line of the script: its folder and the browser's path. */
export interface BrowserThere {
  /** The client creates the file `wanted` in it repeatedly as a keepalive sign. */
  readonly folder: string;
  readonly program: string;
}

const PLACES = [
  ...BROWSER_NAMES.map((name) => `"$(command -v ${name})"`),
  ...MAC_APPS.flatMap((app) => ['/Applications', '"$HOME"/Applications'].map((home) => `${home}/'${app}.app/Contents/MacOS/${app}'`)),
];

/**
 * Finds a browser and starts it on a pipe: its input carries commands, its output replies, so it opens no port. It ends with its input, and
 * so with the connection, and removes its folder. One line, because csh cannot quote line breaks. Started in the background: a signal to
 * the shell would otherwise leave the folder.
 */
const script = ({ rounds, roundSeconds }: Silence): string =>
  [
    'trap : HUP INT TERM PIPE',
    'exec 3<&0 4>&1',
    'PATH=$PATH:/usr/local/bin:/snap/bin:/opt/homebrew/bin',
    'root=${TMPDIR:-/tmp}',
    // Folders left by a crash of the host or a killed shell.
    'for old in "$root"/holdfast-visits-*; do owner=${old##*/holdfast-visits-}; if [ -O "$old" ]; then kill -0 "${owner%%-*}" 2>/dev/null || rm -rf "$old"; fi; done',
    `for found in ${PLACES.join(' ')}; do if [ -f "$found" ] && [ -x "$found" ]; then break; fi; found=; done`,
    `if [ -z "$found" ]; then printf "\\n${MARK} none\\n"; exit 0; fi`,
    'folder=$(mktemp -d "$root/holdfast-visits-$$-XXXXXX") || exit 1',
    ': > "$folder/wanted"',
    // Chromium does not start its sandbox as root.
    'if [ "$(id -u)" = 0 ]; then set -- "$@" --no-sandbox; fi',
    `printf "\\n${MARK}\\t%s\\t%s\\n" "$folder" "$found"`,
    'HOME=$folder TMPDIR=$folder "$found" "$@" --user-data-dir="$folder/profile" </dev/null >/dev/null & browser=$!',
    `( trap "" HUP INT TERM; silent=0; while sleep ${roundSeconds}; do if rm "$folder/wanted"; then silent=0; else silent=$((silent + 1)); fi; if [ $silent -ge ${rounds} ]; then kill $browser; sleep 3; kill -9 $browser; fi; done ) 3<&- 4>&- </dev/null >/dev/null 2>&1 & guard=$!`,
    'wait $browser',
    // A signal may have ended the wait, but not the browser.
    'kill $browser 2>/dev/null && wait $browser',
    'kill -9 $guard',
    'rm -rf "$folder" 2>/dev/null || { sleep 1; rm -rf "$folder"; }',
  ].join('; ');

/** Returns the command that starts a browser on a host with these arguments. */
export function browserCommand(args: readonly string[], silence: Silence = SILENCE): string {
  return `exec sh -c ${shellQuoted(script(silence))} sh ${args.map(shellQuoted).join(' ')}`;
}

/** Returns the first line of the script and the bytes after it, or null while the line is incomplete. */
export function readStart(said: Buffer): { readonly there: BrowserThere | null; readonly rest: Buffer } | null {
  const at = said.indexOf(`\n${MARK}`);
  const end = at < 0 ? -1 : said.indexOf('\n', at + 1);
  if (end < 0) return null;
  const [, folder, program] = said.toString('utf8', at + 1, end).split('\t');
  const rest = said.subarray(end + 1);
  return folder === undefined || program === undefined ? { there: null, rest } : { there: { folder, program }, rest };
}
