import { capitalized } from '#core/base/text.ts';
import { at, listAt, numberAt, textAt } from '../reading.ts';

const KINDS = ['open', 'click', 'submit', 'choose', 'mark', 'back', 'reload', 'tab', 'upload', 'download'] as const;

/** Something that a person did while a journey was recorded. */
export interface Action {
  readonly kind: (typeof KINDS)[number];
  readonly text: string;
  readonly role: string;
  readonly title: string;
}

const MOST_ACTIONS = 1_000;
const LONGEST_NAME = 60;

/** What the person did, in order; none where the recording does not say it. A place without a known kind stays a place. */
export function actionsOf(document: unknown): (Action | null)[] {
  return listAt(document, 'log', '_actions')
    .slice(0, MOST_ACTIONS)
    .map((written) => {
      const kind = KINDS.find((one) => one === textAt(written, 'kind'));
      const word = (name: string): string => (textAt(written, name) ?? '').slice(0, 200).replaceAll(/\s+/g, ' ').trim();
      return kind === undefined ? null : { kind, text: word('text'), role: word('role'), title: word('title') };
    });
}

/** Position of the action that caused a request; null where the recording does not say it. */
export function actionIndexOf(entry: unknown): number | null {
  const index = at(entry, '_action') === undefined ? null : numberAt(entry, '_action');
  return index !== null && Number.isInteger(index) && index >= 0 ? index : null;
}

interface Named {
  readonly method: string;
  readonly path: string;
  /** A password is sent. */
  readonly isLogin: boolean;
}

/** Names steps by what the person did: the first request of an action as the action, those that follow from it by what they ask for besides. */
export class StepNames {
  private readonly actions: readonly (Action | null)[];
  /** What the first request of each action was called. */
  private readonly named = new Map<number, string>();

  constructor(actions: readonly (Action | null)[]) {
    this.actions = actions;
  }

  /** null where nothing tells what the person did. */
  nameFor(index: number | null, { method, path, isLogin }: Named): string | null {
    const action = index === null ? null : (this.actions[index] ?? null);
    if (index === null || action === null) return null;
    const first = this.named.get(index);
    const name = first ?? (isLogin && !isVerb(action.text) ? 'Log in' : nameOf(action));
    if (name === '') return null;
    this.named.set(index, name);
    if (first === undefined) return cut(name, LONGEST_NAME);
    const words = lastWords(path);
    const part = method === 'GET' || words === '' ? words : `${method} ${words}`;
    return part === '' ? cut(name, LONGEST_NAME) : `${cut(name, LONGEST_NAME - Math.min(part.length, 30) - 2)}: ${cut(part, 30)}`;
  }
}

/** What a step is called that does what a person did; never empty. */
export function actionName(action: Action): string {
  const name = nameOf(action);
  return cut(name === '' ? capitalized(action.kind) : name, LONGEST_NAME);
}

function nameOf({ kind, text, role, title }: Action): string {
  const what = text === '' ? title : text;
  if (what === '') return '';
  switch (kind) {
    case 'open':
      return `Open ${title === '' ? text : title}`;
    case 'click':
      return role === 'link' && !isVerb(text) ? `Open ${what}` : capitalized(what);
    case 'submit':
      return role === 'form' || !isVerb(text) ? `Submit the form ${what}` : capitalized(what);
    case 'choose':
      return `Choose ${what}`;
    case 'back':
      return `Go back to ${title === '' ? text : title}`;
    case 'reload':
      return `Reload ${title === '' ? text : title}`;
    case 'tab':
      return `Open ${what} in a new tab`;
    case 'upload':
      return `Upload ${what}`;
    case 'download':
      return `Download ${what}`;
    case 'mark':
      return capitalized(what);
    default:
      return kind satisfies never;
  }
}

const VERBS =
  /^(log|sign|add|open|show|save|send|submit|search|find|delete|remove|edit|create|new|write|post|go|start|stop|buy|order|pay|continue|next|back|cancel|close|publish|update|upload|download|register|join|leave|view|read|ask|answer|reply|check|change|choose|select|apply|accept|decline|confirm|export|import|print|play)\b/i;

/** A button says what it does; a link says where it leads. */
function isVerb(text: string): boolean {
  return VERBS.test(text);
}

function cut(text: string, most: number): string {
  return text.length <= most
    ? text
    : `${[...text]
        .slice(0, most - 1)
        .join('')
        .slice(0, most - 1)
        .trimEnd()}…`;
}

/** The last words of a path: what a request behind another one asks for. */
function lastWords(path: string): string {
  const parts = (path.split('?', 1)[0] ?? '').split('/').filter((part) => part !== '' && !/\d{3,}|[{}]/.test(part));
  return parts.slice(-2).join('/');
}
