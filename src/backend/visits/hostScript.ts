import { shellQuoted } from '#backend/remote/host/clock.ts';
import { BROWSER_NAMES, MAC_APPS } from '#backend/browser/findBrowser.ts';

/** Before the first line of the script: what start-up files of the user print comes before it and is not looked at. */
const MARK = 'holdfast browser 1';

/** The browser ends where nobody has said for so many rounds that it is still wanted. */
export interface Silence {
  readonly rounds: number;
  readonly roundSeconds: number;
}
const SILENCE: Silence = { rounds: 12, roundSeconds: 5 };

/** What the script says before it becomes the browser: where it keeps what it needs, and which program it is. */
export interface BrowserThere {
  /** Somebody who still wants the browser makes the file `wanted` in it again and again. */
  readonly folder: string;
  readonly program: string;
}

const PLACES = [
  ...BROWSER_NAMES.map((name) => `"$(command -v ${name})"`),
  ...MAC_APPS.flatMap((app) => ['/Applications', '"$HOME"/Applications'].map((home) => `${home}/'${app}.app/Contents/MacOS/${app}'`)),
];

/**
 * Finds a browser and starts it on a pipe: what comes in are its commands, what goes out its replies, so it opens no port. It ends when its input does, which is
 * when the connection does, and takes its folder with it. In one line, because csh quotes none. It is started in the background: a signal to the
 * shell would otherwise leave the folder.
 */
const script = ({ rounds, roundSeconds }: Silence): string =>
  [
    'trap : HUP INT TERM PIPE',
    'exec 3<&0 4>&1',
    'PATH=$PATH:/usr/local/bin:/snap/bin:/opt/homebrew/bin',
    'root=${TMPDIR:-/tmp}',
    // What was left when the whole host went down, or somebody killed the shell.
    'for old in "$root"/holdfast-visits-*; do owner=${old##*/holdfast-visits-}; if [ -O "$old" ]; then kill -0 "${owner%%-*}" 2>/dev/null || rm -rf "$old"; fi; done',
    `for found in ${PLACES.join(' ')}; do if [ -f "$found" ] && [ -x "$found" ]; then break; fi; found=; done`,
    `if [ -z "$found" ]; then printf "\\n${MARK} none\\n"; exit 0; fi`,
    'folder=$(mktemp -d "$root/holdfast-visits-$$-XXXXXX") || exit 1',
    ': > "$folder/wanted"',
    // Chromium refuses to start its sandbox as root.
    'if [ "$(id -u)" = 0 ]; then set -- "$@" --no-sandbox; fi',
    `printf "\\n${MARK}\\t%s\\t%s\\n" "$folder" "$found"`,
    'HOME=$folder TMPDIR=$folder "$found" "$@" --user-data-dir="$folder/profile" </dev/null >/dev/null & browser=$!',
    `( trap "" HUP INT TERM; silent=0; while sleep ${roundSeconds}; do if rm "$folder/wanted"; then silent=0; else silent=$((silent + 1)); fi; if [ $silent -ge ${rounds} ]; then kill $browser; sleep 3; kill -9 $browser; fi; done ) 3<&- 4>&- </dev/null >/dev/null 2>&1 & guard=$!`,
    'wait $browser',
    // A signal may have ended the wait, and not the browser.
    'kill $browser 2>/dev/null && wait $browser',
    'kill -9 $guard',
    'rm -rf "$folder" 2>/dev/null || { sleep 1; rm -rf "$folder"; }',
  ].join('; ');

/** The command for a host that starts a browser there with these arguments. */
export function browserCommand(args: readonly string[], silence: Silence = SILENCE): string {
  return `exec sh -c ${shellQuoted(script(silence))} sh ${args.map(shellQuoted).join(' ')}`;
}

/** What the script says first, and the bytes behind it; null where it has not said it yet. */
export function readStart(said: Buffer): { readonly there: BrowserThere | null; readonly rest: Buffer } | null {
  const at = said.indexOf(`\n${MARK}`);
  const end = at < 0 ? -1 : said.indexOf('\n', at + 1);
  if (end < 0) return null;
  const [, folder, program] = said.toString('utf8', at + 1, end).split('\t');
  const rest = said.subarray(end + 1);
  return folder === undefined || program === undefined ? { there: null, rest } : { there: { folder, program }, rest };
}
