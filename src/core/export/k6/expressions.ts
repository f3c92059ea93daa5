import { namesInFlow } from '#core/work/journey/flow/executions.ts';
import { type EscapeContext, TARGET_WITHOUT_SLASH, removeTrailingSlash } from '#core/work/journey/escape.ts';
import type { FlowPart } from '#core/plan/schema/flow.ts';
import type { Variable } from '#core/plan/schema/journey.ts';
import { parseTemplate, type Placeholder } from '#core/plan/secrets.ts';
import { namesOfStep } from '#core/work/journey/walked.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Plan, Step } from '#core/plan/schema/plan.ts';
import type { K6Draft } from './draft.ts';
import { templateLiteral, memberCode, quote } from './javaScript.ts';
import { cookieOf, readValueName } from '#core/plan/valueNames.ts';

type PlanVariable = NonNullable<Plan['variables']>[string];

/** Values that only a step has, in addition to those of its journey. */
export interface StepScope {
  /** Names that the step captures, as members of `found`. */
  readonly found: ReadonlySet<string>;
  /** Expression of the address that selects its cookies. */
  readonly url: string;
  /** Name of the list from which form parts are created one by one; the current text is `item`. */
  readonly item?: string;
}

/** Converts texts with placeholders to JavaScript expressions. */
export class Expressions {
  private readonly draft: K6Draft;
  private readonly captured: ReadonlySet<string>;
  private readonly lists: ReadonlySet<string>;

  constructor(draft: K6Draft) {
    const { plan } = draft;
    const captures = plan.journey.flatMap((step) => step.captures ?? []);
    this.draft = draft;
    this.captured = new Set([...captures.map(({ as }) => as), ...listItems(plan.flow ?? [])]);
    this.lists = new Set(captures.flatMap((capture) => ('which' in capture && capture.which === 'all' ? [capture.as] : [])));
  }

  /** Returns a text of a step as an expression, with each value escaped for its position. */
  text(text: string, place: EscapeContext, scope: StepScope): string {
    const parts = parseTemplate(text);
    const [only] = parts;
    if (parts.length === 1 && only !== undefined)
      return typeof only === 'string'
        ? quote(only)
        : only.name === scope.item || !this.lists.has(only.name)
          ? this.placeholderCode(only, place, scope)
          : `\`\${${this.placeholderCode(only, place, scope)}}\``;
    return `\`${this.innerCode(parts, place, scope)}\``;
  }

  /** Returns the text inside a template literal. */
  innerCode(parts: readonly (string | Placeholder)[], place: EscapeContext, scope: StepScope): string {
    return parts
      .map((part) => (typeof part === 'string' ? templateLiteral(part) : `\${${this.placeholderCode(part, place, scope)}}`))
      .join('');
  }

  private placeholderCode({ name, isRaw }: Placeholder, place: EscapeContext, scope: StepScope): string {
    const value = this.valueOf(name, scope);
    if (isRaw) return value;
    switch (place) {
      case 'address':
        return `${this.draft.requireHelper('encode')}(${value})`;
      case 'form':
        return `${this.draft.requireHelper('formEncode')}(${value})`;
      case 'json':
        return `${this.draft.requireHelper('inJson')}(${value})`;
      case 'header':
      case 'text':
        return value;
      default:
        return place satisfies never;
    }
  }

  /** Returns the expression of a value. */
  valueOf(name: string, scope: StepScope): string {
    const { plan } = this.draft;
    if (name === scope.item) return 'item';
    if (name === TARGET_WITHOUT_SLASH) {
      const [target, ...others] = plan.targets;
      return target !== undefined && others.length === 0 ? quote(removeTrailingSlash(target.url)) : 'server.withoutSlash';
    }
    if (scope.found.has(name)) return memberCode('found', name);
    const cookie = cookieOf(name);
    if (cookie !== null) return `${this.draft.requireHelper('cookie')}(${quote(cookie)}, ${scope.url})`;
    if (this.captured.has(name))
      return this.isCertain ? memberCode('values', name) : `${this.draft.requireHelper('value')}(${quote(name)})`;
    const variable = findVariable(plan, name);
    if (variable?.kind === 'secret') return this.draft.secret(variable.secret);
    if (variable !== undefined) {
      if (variable.kind === 'timestamp') return timestampCode(variable.unit);
      return memberCode(isPerRequest(variable) ? 'drawn' : 'values', name);
    }
    const { owner, member } = readValueName(name);
    if (owner !== null && Object.hasOwn(plan.feeds ?? {}, owner)) return memberCode(memberCode('rows', owner), member);
    return `${this.draft.requireHelper('value')}(${quote(name)})`;
  }

  /** Whether each step follows the steps that capture its values; without a flow, a failed capture ends the journey. */
  private get isCertain(): boolean {
    return this.draft.plan.flow === undefined;
  }
}

function listItems(flow: readonly FlowPart[]): string[] {
  return flow.flatMap((part): string[] => {
    if (typeof part === 'string') return [];
    if ('choose' in part) return part.choose.flatMap((choice) => listItems(choice.flow));
    return [...('forEach' in part && namesInFlow([part]).length > 0 ? [part.as] : []), ...listItems(part.flow)];
  });
}

function findVariable(plan: Plan, name: string): PlanVariable | undefined {
  return getOwn(plan.variables, name);
}

export function isPerRequest(variable: PlanVariable): boolean {
  return 'per' in variable && variable.per === 'request';
}

/** Returns the variables that change with each request of a step. */
export function listDrawnVariables(plan: Plan, step: Step): [string, Variable][] {
  return namesOfStep(step).flatMap((name): [string, Variable][] => {
    const variable = findVariable(plan, name);
    return variable === undefined || variable.kind === 'secret' || !isPerRequest(variable) ? [] : [[name, variable]];
  });
}

/** Returns the expression that generates a value; `user` is the number of the user. */
export function drawingCode(draft: K6Draft, variable: Variable): string {
  switch (variable.kind) {
    case 'uuid':
      return 'crypto.randomUUID()';
    case 'integer':
      return `String(${draft.requireHelper('wholeNumber')}(${variable.from}, ${variable.to}))`;
    case 'item':
      return `${draft.requireHelper('anyOf')}([${variable.of.map((item) => quote(String(item))).join(', ')}])`;
    case 'number':
      return variable.to === undefined
        ? `String(${variable.from} + user)`
        : `String(${variable.from} + (user % ${Math.max(1, variable.to - variable.from + 1)}))`;
    case 'timestamp':
      return timestampCode(variable.unit);
    default:
      return variable satisfies never;
  }
}

function timestampCode(unit: 'seconds' | 'milliseconds' | 'iso'): string {
  if (unit === 'iso') return 'new Date().toISOString()';
  return unit === 'seconds' ? 'String(Math.floor(Date.now() / 1000))' : 'String(Date.now())';
}
