import type { PlanInput } from '#core/plan/schema/plan.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import { escapePlaceholders, translateDollars, valueName } from '../placeholders.ts';
import { Budget, MAX_EXPANDED_CHARACTERS } from '../reading.ts';
import { describeAskedValue, type Draft } from '../draft.ts';
import { type Element, isTrue, members, textOf } from './element.ts';
import { readSeparator, leaveOutLongValues, noteMadeUpLetters, PLAIN_TEXT_NOTE } from '../notes.ts';
import { columnName } from '#core/plan/valueNames.ts';

type Variable = NonNullable<PlanInput['variables']>[string];

const MAX_DEPTH = 8;

/** The values of `${…}` in a test plan. */
export class Values {
  private readonly draft: Draft;
  private readonly given = new Map<string, string>();
  private readonly known = new Map<string, string>();
  private readonly inPath: string[] = [];
  private readonly budget = new Budget(MAX_EXPANDED_CHARACTERS);
  /** A file whose columns are named by its first line, not by the element. */
  private openFeed: string | null = null;

  constructor(draft: Draft) {
    this.draft = draft;
  }

  define(name: string, value: string): void {
    this.given.set(name, value);
  }

  /** Adds the file of a CSV Data Set. */
  feed(element: Element): void {
    const { xml } = element;
    const location = `CSV Data Set “${element.title.slice(0, 60)}”`;
    const file = this.plain(textOf(xml, 'filename'));
    if (file === '' || file.includes('${'))
      return this.draft.noteLeftOut(location, 'It names no file, or uses a variable without a value.');
    const delimiter = textOf(xml, 'delimiter').replace(String.raw`\t`, '\t') || ',';
    const separator = readSeparator(this.draft, delimiter, location);
    const names = textOf(xml, 'variableNames')
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '');
    const feed = this.draft.feed(valueName(element.title, 'feed').toLowerCase(), {
      file: file.slice(0, 1_000),
      ...(separator === undefined || separator === ',' ? {} : { separator }),
    });
    if (names.length === 0) this.openFeed ??= feed;
    for (const name of names) this.known.set(name, `{{${columnName(feed, valueName(name))}}}`);
    if (names.length > 0 && !isTrue(xml, 'ignoreFirstLine'))
      this.draft.noteChanged(
        location,
        'The test plan names the columns of the file.',
        `Add this as the first line of the file: ${names
          .map((name) => valueName(name))
          .join(separator ?? ',')
          .slice(0, 200)}`,
      );
    else if (names.length > 0)
      this.draft.noteChanged(
        location,
        'It skips the first line of the file.',
        `That line must name the columns: ${names
          .map((name) => valueName(name))
          .join(separator ?? ',')
          .slice(0, 200)}`,
      );
    if (isTrue(xml, 'stopThread') || textOf(xml, 'recycle').trim() === 'false')
      this.draft.noteChanged(location, 'Threads end at the end of the file.', 'The plan continues with the first row.');
  }

  captured(name: string): string {
    const own = this.draft.captureName(name);
    this.known.set(name, `{{${own}}}`);
    this.known.set(`${name}_1`, `{{${own}}}`);
    return own;
  }

  /** Returns the name of the list that was captured under this name; null for other values. */
  toList(name: string): string | null {
    return /^\{\{(.*)\}\}$/.exec(this.known.get(name) ?? '')?.[1] ?? null;
  }

  item(name: string): string {
    return this.captured(name);
  }

  write(text: string): string {
    return translateDollars(removeEncodingFunctions(text), (expression) => this.resolve(expression));
  }

  /** Replaces expressions by their values if these are known. Used for numbers, files and addresses. */
  plain(text: string, depth = 0): string {
    if (depth > MAX_DEPTH) return text;
    return text.replaceAll(/\$\{([^{}]{0,300})\}/g, (whole, name: string) => {
      const value = this.given.get(name.trim()) ?? propertyDefault(name);
      return value === null || !this.budget.spend(value.length + 1) ? whole : this.plain(value, depth + 1);
    });
  }

  private resolve(expression: string): string {
    const known = this.known.get(expression);
    if (known !== undefined) return known;
    const value = this.given.get(expression) ?? propertyDefault(expression);
    if (value !== null && value !== undefined && !this.inPath.includes(expression) && this.inPath.length < MAX_DEPTH) {
      if (isSecretField(expression) && !value.includes('${') && value !== '')
        return this.draft.secretVariable(expression, value, 'User Defined Variables');
      if (!this.budget.spend(value.length + 1)) {
        leaveOutLongValues(this.draft, 'User Defined Variables');
        return escapePlaceholders(`\${${expression}}`);
      }
      this.inPath.push(expression);
      const written = this.write(value);
      this.inPath.pop();
      return written;
    }
    return expression.startsWith('__') ? this.call(expression) : this.unknown(expression);
  }

  private call(expression: string): string {
    const [, name = '', given = ''] = /^__(\w{1,40})(?:\((.*)\))?$/s.exec(expression) ?? [];
    const [first = '', second = ''] = given.split(',').map((part) => part.trim());
    switch (name) {
      case 'UUID':
        return this.variable('uuid', { kind: 'uuid', per: 'request' });
      case 'time':
      case 'timestamp':
        if (first === '' || first === '/1000')
          return this.variable('timestamp', { kind: 'timestamp', unit: first === '' ? 'milliseconds' : 'seconds' });
        this.draft.noteChanged(`\${${expression.slice(0, 60)}}`, 'It uses its own time format.', 'The plan uses ISO 8601.');
        return this.variable('time', { kind: 'timestamp', unit: 'iso' });
      case 'Random':
        if (!/^-?\d{1,15}$/.test(first) || !/^-?\d{1,15}$/.test(second)) return this.unknown(expression);
        return this.variable('random', {
          kind: 'integer',
          from: Math.min(Number(first), Number(second)),
          to: Math.max(Number(first), Number(second)),
          per: 'request',
        });
      case 'RandomString':
        noteMadeUpLetters(this.draft, `\${${expression.slice(0, 60)}}`);
        return this.variable('randomString', { kind: 'uuid', per: 'request' });
      case 'threadNum':
        return this.variable('threadNum', { kind: 'number', from: 1 });
      case 'counter':
        this.draft.noteChanged(
          `\${${expression.slice(0, 60)}}`,
          'It is a counter that increases with each use.',
          'The plan uses the number of the user.',
        );
        return this.variable('threadNum', { kind: 'number', from: 1 });
      case 'P':
      case 'property': {
        const environment = valueName(first).replaceAll('-', '_');
        this.draft.noteAssumed(
          `\${${expression.slice(0, 60)}}`,
          'It is a property from JMeter’s command line.',
          describeAskedValue(environment),
        );
        return this.variable(environment, this.draft.askSecret(environment));
      }
      default:
        return this.unknown(expression);
    }
  }

  private unknown(expression: string): string {
    if (this.openFeed !== null && /^\w{1,60}$/.test(expression)) return `{{${this.openFeed}.${expression}}}`;
    this.draft.noteLeftOut(`\${${expression.slice(0, 60)}}`, 'Nothing that Holdfast reads sets it.', PLAIN_TEXT_NOTE);
    return escapePlaceholders(`\${${expression}}`);
  }

  private variable(name: string, variable: Variable): string {
    return `{{${this.draft.variable(name, variable)}}}`;
  }
}

/** Returns the default in `__P(name,default)`, which applies if the command line does not set the property. */
function propertyDefault(expression: string): string | null {
  const [, value] = /^__(?:P\([^,()]*|property\([^,()]*,[^,()]*),([^,()]*)\)$/.exec(expression.trim()) ?? [];
  return value === undefined || value.trim() === '' ? null : value.trim();
}

/** Removes encoding functions, because the plan encodes values where it inserts them. */
function removeEncodingFunctions(text: string): string {
  return text.replaceAll(/\$\{__(?:urlencode|escapeHtml|escapeXml|V|eval)\(\s*(\$\{[^{}]{1,200}\})\s*\)\}/g, '$1');
}

/** Returns the name and value of each argument of an element. */
export function readArguments(element: Element, ...path: readonly string[]): (readonly [string, string])[] {
  return members(element.xml, ...path).map((argument) => [textOf(argument, 'Argument.name'), textOf(argument, 'Argument.value')] as const);
}
