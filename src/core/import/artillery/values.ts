import { escapePlaceholders, translateTwoOrThreeBraces, valueName } from '../placeholders.ts';
import { type Draft, withoutNulls } from '../draft.ts';
import { valueAtPath, blocksAt, entriesAt, listAt, textAt } from '../reading.ts';
import { readSeparator, noteMadeUpLetters, PLAIN_TEXT_NOTE } from '../notes.ts';
import { columnName } from '#core/plan/valueNames.ts';

/** The values of `{{ … }}` in a script. */
export class Values {
  private readonly draft: Draft;
  /** Plan text by name in the script. */
  private readonly known = new Map<string, string>();
  /** Variables whose values are all numbers. */
  private readonly numbers = new Set<string>();
  /** Item variables of the enclosing loops. */
  private readonly loopItems: string[] = [];

  constructor(draft: Draft, config: unknown) {
    this.draft = draft;
    for (const [name, value] of entriesAt(config, 'variables')) this.readVariable(name, value);
    const isList = Array.isArray(valueAtPath(config, 'payload'));
    for (const [index, payload] of blocksAt(config, 'payload').entries())
      this.readPayload(payload, isList ? `config.payload[${index}]` : 'config.payload');
  }

  write(text: string): string {
    return translateTwoOrThreeBraces(text, (expression) => this.resolve(expression));
  }

  /** Converts a string of a JSON body. A single placeholder keeps the type of its value, like Artillery. */
  writeTyped(text: string): string {
    const written = this.write(text);
    const [, name] = /^\{\{([\w-]+)\}\}$/.exec(/^\s*\{\{\{?[^{}]*\}\}\}?\s*$/.test(text) ? written.trim() : '') ?? [];
    if (name === undefined) return written;
    const typed = this.numbers.has(name) ? name : this.draft.captureOfTyped(name);
    return typed === null ? written : `{{${typed}|raw}}`;
  }

  resolveCapture(name: string): string {
    const own = this.draft.captureName(name);
    this.known.set(name, `{{${own}}}`);
    return own;
  }

  /** Calls `read` with the item variable of a loop in scope. */
  readInLoop<Read>(item: string, read: () => Read): Read {
    this.loopItems.push(item);
    const found = read();
    this.loopItems.pop();
    return found;
  }

  private readVariable(name: string, value: unknown): void {
    const list = blocksAt(value).flatMap((item) => (typeof item === 'number' ? item : (textAt(item) ?? [])));
    if (list.length === 0 || list.length > 10_000)
      return this.draft.noteLeftOut(`config.variables.${name.slice(0, 60)}`, 'It has no list of texts or numbers.');
    const own = this.draft.variable(name, { kind: 'item', of: list });
    if (list.every((item) => typeof item === 'number')) this.numbers.add(own);
    this.known.set(name, `{{${own}}}`);
  }

  private readPayload(payload: unknown, location: string): void {
    const path = textAt(payload, 'path');
    const fields = listAt(payload, 'fields').flatMap((field) => (typeof field === 'string' ? [field] : []));
    if (path === null || path === '') return this.draft.noteLeftOut(location, 'It names no file.');
    const order = textAt(payload, 'order') === 'sequence' ? 'sequential' : 'random';
    const separator = readSeparator(this.draft, textAt(payload, 'delimiter') ?? ',', `${location}.delimiter`);
    const feed = this.draft.feed(textAt(payload, 'name') ?? 'payload', {
      file: path.slice(0, 1_000),
      order,
      ...(separator === ',' ? {} : withoutNulls({ separator })),
    });
    const columns = fields.map((field) => valueName(field).replaceAll('-', '_'));
    for (const [index, field] of fields.entries()) this.known.set(field, `{{${columnName(feed, columns[index] ?? field)}}}`);
    if (fields.length > 0)
      this.draft.noteChanged(
        location,
        `The columns of ${path.slice(0, 120)} are named in the script: ${columns.join(separator ?? ',').slice(0, 200)}.`,
        valueAtPath(payload, 'skipHeader') === true
          ? 'The first line of the file must contain these names.'
          : 'Add them as the first line of the file.',
      );
    for (const setting of ['loadAll', 'cast', 'skipEmptyLines', 'options'])
      if (valueAtPath(payload, setting) !== undefined)
        this.draft.noteLeftOut(`${location}.${setting}`, 'This payload setting has no equivalent.');
  }

  private resolve(expression: string): string {
    const known = this.known.get(expression);
    if (known !== undefined) return known;
    if (expression === '$loopElement' && this.loopItems.length > 0) return `{{${this.loopItems.at(-1) ?? ''}}}`;
    const environment = /^\$(?:processEnvironment|env)\.([A-Za-z_]\w{0,59})$/.exec(expression)?.[1];
    if (environment !== undefined) return this.draft.placeholder(environment, this.draft.askSecret(environment));
    if (/^\$randomNumber(\(.*\))?$/.test(expression)) {
      const [, ...ends] = /\(\s*(-?\d{1,15})\s*,\s*(-?\d{1,15})\s*\)$/.exec(expression) ?? ['', '1', '1000000'];
      const [from = 1, to = 1] = ends.map(Number).toSorted((one, other) => one - other);
      return this.draft.placeholder('randomNumber', { kind: 'integer', from, to, per: 'request' });
    }
    if (/^\$(uuid|guid)(\(\))?$/.test(expression)) return this.draft.placeholder('uuid', { kind: 'uuid' });
    if (/^\$randomString(\(.*\))?$/.test(expression)) {
      noteMadeUpLetters(this.draft, '{{ $randomString }}');
      return this.draft.placeholder('randomString', { kind: 'uuid', per: 'request' });
    }
    if (expression === '$timestamp') return this.draft.placeholder('timestamp', { kind: 'timestamp', unit: 'milliseconds' });
    const what = 'Nothing that Holdfast reads in the script sets it. Script functions are not run.';
    this.draft.noteLeftOut(`{{ ${expression.slice(0, 60)} }}`, what, PLAIN_TEXT_NOTE);
    return escapePlaceholders(`{{${expression}}}`);
  }
}
