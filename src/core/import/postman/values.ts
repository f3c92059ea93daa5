import type { PlanInput } from '#core/plan/schema/plan.ts';
import { isSecretField } from '#core/plan/secretShapes.ts';
import { escapePlaceholders, translateBraces, valueName } from '../placeholders.ts';
import { valueAtPath, Budget, MAX_EXPANDED_CHARACTERS, textAt } from '../reading.ts';
import { describeAskedValue, type Draft } from '../draft.ts';
import { leaveOutLongValues, UUID_NOTE } from '../notes.ts';

type Variable = NonNullable<PlanInput['variables']>[string];

const MAX_DEPTH = 8;
/** Maximum number of generated values of one kind in a request. Beyond it, the last value is repeated. */
const MAX_GENERATED = 50;

/** The values of `{{name}}` in a collection. */
export class Values {
  private readonly draft: Draft;
  private readonly client: string;
  /** Number of values that the current request has generated, by kind. Each one has its own variable. */
  private generated = new Map<string, number>();
  private readonly given = new Map<string, string>();
  private readonly captured = new Map<string, string>();
  private readonly inPath: string[] = [];
  private readonly budget = new Budget(MAX_EXPANDED_CHARACTERS);

  constructor(draft: Draft, client: string, variables: readonly unknown[]) {
    this.draft = draft;
    this.client = client;
    for (const variable of variables) {
      const name = textAt(variable, 'key') ?? textAt(variable, 'id');
      const value = textAt(variable, 'value');
      // Shared collections contain variables with empty values.
      if (name !== null && value !== null && value !== '' && valueAtPath(variable, 'disabled') !== true) this.given.set(name, value);
    }
  }

  startRequest(): void {
    this.generated = new Map();
  }

  write(text: string): string {
    return translateBraces(text, (expression) => this.resolve(expression));
  }

  /** Replaces variables by their known values. Used for the address of the server. */
  plain(text: string, depth = 0): string {
    if (depth > MAX_DEPTH) return text;
    return text.replaceAll(/\{\{([^{}]{0,200})\}\}/g, (whole, name: string) => {
      const value = this.given.get(name.trim());
      return value === undefined || !this.budget.spend(value.length + 1) ? whole : this.plain(value, depth + 1);
    });
  }

  capture(name: string): string {
    const own = this.draft.captureName(name);
    this.captured.set(name, `{{${own}}}`);
    return own;
  }

  private resolve(name: string): string {
    const captured = this.captured.get(name);
    if (captured !== undefined) return captured;
    const value = this.given.get(name);
    if (value !== undefined && !this.inPath.includes(name) && this.inPath.length < MAX_DEPTH) {
      if (isSecretField(name) && !value.includes('{{')) return this.draft.secretVariable(name, value, `variable.${name.slice(0, 60)}`);
      if (!this.budget.spend(value.length + 1)) {
        leaveOutLongValues(this.draft, 'variable');
        return escapePlaceholders(`{{${name}}}`);
      }
      this.inPath.push(name);
      const written = this.write(value);
      this.inPath.pop();
      return written;
    }
    if (name.startsWith('$')) return this.dynamicVariable(name);
    if (!/^[\w.-]{1,60}$/.test(name)) return escapePlaceholders(`{{${name}}}`);
    const environment = valueName(name).replaceAll('-', '_').replaceAll('.', '_');
    this.draft.noteAssumed(
      `{{${name}}}`,
      'The collection has no value for it. An environment or a script sets it.',
      describeAskedValue(environment),
    );
    return this.draft.placeholder(environment, this.draft.askSecret(environment));
  }

  private dynamicVariable(name: string): string {
    if (name === '$timestamp') return this.draft.placeholder('timestamp', { kind: 'timestamp', unit: 'seconds' });
    if (name === '$isoTimestamp') return this.draft.placeholder('isoTimestamp', { kind: 'timestamp', unit: 'iso' });
    if (/^\$(guid|randomUUID)$/.test(name)) return this.generate('uuid', { kind: 'uuid', per: 'request' });
    if (name === '$randomBoolean') return this.generate('randomBoolean', { kind: 'item', of: ['true', 'false'], per: 'request' });
    const [, ...ends] =
      name === '$randomInt'
        ? ['', '0', '1000']
        : (/^\$(?:randomInt\s+|random\.integer\()(-?\d{1,9})[\s,]+(-?\d{1,9})\)?$/.exec(name) ?? []);
    const [from, to] = ends.map(Number).toSorted((one, other) => one - other);
    if (from !== undefined && to !== undefined) return this.generate('randomInt', { kind: 'integer', from, to, per: 'request' });
    this.draft.noteChanged(`{{${name.slice(0, 60)}}}`, `${this.client} generates a value of this kind.`, UUID_NOTE);
    return this.generate('madeUp', { kind: 'uuid', per: 'request' });
  }

  /** Returns a separate variable for each use in a request, because the client generates a new value for each use. */
  private generate(name: string, variable: Variable): string {
    const count = Math.min((this.generated.get(name) ?? 0) + 1, MAX_GENERATED);
    this.generated.set(name, count);
    return this.draft.placeholder(count === 1 ? name : `${name}_${count}`, variable);
  }
}
