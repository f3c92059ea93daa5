import { inARow } from '#core/plan/hosts/places.ts';
import { uploadFoldersOf } from '#core/work/journey/uploads.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { ExportedFile, ExportSources } from '../exported.ts';
import { secretNames } from '../secretNames.ts';
import { memberOf, quoted } from './javaScript.ts';
import type { HelperName } from './helpers.ts';

/** What of a plan lies in files, and how the script names itself. */
export interface K6ScriptOptions extends ExportSources {
  /** Sent as User-Agent where the plan lets itself be identified. */
  readonly userAgent?: string;
}

/** A script on its way out of a plan: which helpers it needs, which files, which secrets, and what has to be said about it. */
export class K6Draft {
  readonly plan: Plan;
  readonly options: K6ScriptOptions;
  readonly helpers = new Set<HelperName>();
  readonly notes: string[] = [];
  readonly files: ExportedFile[] = [];
  /** Constants above the steps, with what they are. */
  readonly constants = new Map<string, string>();
  /** Whether one of them is a picture that is made up. */
  makesJpegs = false;
  /** Files beside the script, by their paths in the plan. */
  readonly uploads = new Map<string, string>();
  private readonly secrets: ReadonlyMap<string, string>;

  constructor(plan: Plan, options: K6ScriptOptions) {
    this.plan = plan;
    this.options = options;
    this.secrets = secretNames(plan);
    this.addFeeds();
    this.addUploads();
  }

  /** Asks for a helper function, and says how it is called. */
  helper(name: HelperName): HelperName {
    this.helpers.add(name);
    return name;
  }

  note(text: string): void {
    if (!this.notes.includes(text)) this.notes.push(text);
  }

  /** Where the script finds the value of a secret. */
  secret(reference: string): string {
    return memberOf('__ENV', this.secrets.get(reference) ?? reference);
  }

  /** The constant that holds the content of a file. */
  opened(path: string): string {
    return this.constant(`open(${quoted(`./${this.uploads.get(path) ?? path}`)}, 'b')`, 'FILE');
  }

  /** The constant that holds so many made-up bytes. */
  madeUp(bytes: number, type: string): string {
    const isJpeg = type.toLowerCase() === 'image/jpeg' && bytes >= 4;
    this.makesJpegs ||= isJpeg;
    if (isJpeg)
      this.note(
        'Generated photos only begin and end as a JPEG. Holdfast’s can be decoded: a server that scales photos does other work in k6.',
      );
    return this.constant(isJpeg ? `jpegOf(${bytes})` : `randomBytes(${bytes})`, 'FILE');
  }

  private constant(code: string, prefix: string): string {
    const known = [...this.constants].find(([, each]) => each === code)?.[0];
    if (known !== undefined) return known;
    const name = `${prefix}_${this.constants.size + 1}`;
    this.constants.set(name, code);
    return name;
  }

  private addFeeds(): void {
    const known = this.options.feeds ?? {};
    const names = Object.keys(this.plan.feeds ?? {});
    for (const name of names) {
      const feed = getOwn(known, name);
      if (feed === undefined) continue;
      const rows = feed.rows.map((row) => Object.fromEntries(feed.columns.map((column, index) => [column, row[index] ?? ''])));
      const lines = rows.map((row) => JSON.stringify(row)).join(',\n');
      this.files.push({ path: feedFile(name), content: `[\n${lines}\n]\n`, encoding: 'utf8' });
    }
    if (names.length > 0)
      this.note(
        `The rows of ${inARow(names.map((name) => `“${name}”`))} are in ${inARow(names.map(feedFile))} beside the script, including any passwords.`,
      );
  }

  private addUploads(): void {
    const contents = this.options.uploads ?? {};
    const folders = uploadFoldersOf(this.plan).map((folder) => `${folder.replace(/[/\\]+$/, '')}/`);
    for (const path of [
      ...wanted(this.plan),
      ...Object.keys(contents).filter((file) => folders.some((folder) => file.startsWith(folder))),
    ]) {
      if (this.uploads.has(path)) continue;
      const file = `uploads/${this.uploads.size + 1}-${(path.split(/[/\\]/).at(-1) ?? '').replaceAll(/[^\w.-]/g, '_')}`;
      this.uploads.set(path, file);
      const content = getOwn(contents, path);
      if (content !== undefined) this.files.push({ path: file, content, encoding: 'base64' });
    }
  }
}

/** Where the script looks for the rows of a feed. */
export function feedFile(name: string): string {
  return `${name}.json`;
}

function wanted({ journey }: Plan): string[] {
  return journey.flatMap(({ multipart }) => (multipart ?? []).flatMap((part) => ('file' in part ? [part.file] : [])));
}
