/** An action of the user, as stored in the recording. */
export interface RecordedAction {
  kind: 'open' | 'click' | 'submit' | 'choose' | 'mark' | 'back' | 'reload' | 'tab' | 'upload' | 'download';
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly text: string;
  readonly role: 'link' | 'button' | 'form' | 'field' | 'page';
  title: string;
  readonly url: string;
}

interface StoredAction extends RecordedAction {
  /** Tab numbers of this action: its own tab, and the tabs that it opened. */
  readonly tabs: Set<number>;
}

interface Undone {
  readonly action: StoredAction;
  readonly untilMs: number;
}

const MAX_ACTIONS = 1_000;
/** Maximum difference between the clocks of the page and of its requests, in ms. */
const MAX_CLOCK_DIFFERENCE_MS = 5;
/** Maximum time in ms between a click on a button and the submission of a form for which both count as one action. */
const MAX_SAME_ACTION_MS = 500;
/** Maximum time in ms after a click for which a tab that opens counts as opened by that click. */
const MAX_TAB_DELAY_MS = 3_000;
const ACTIONS_WITHOUT_REQUESTS: ReadonlySet<RecordedAction['kind']> = new Set(['mark', 'download']);
const MAX_NAME_LENGTH = 80;
const MAX_TITLE_LENGTH = 200;
const NO_TAB = -1;

/** The actions of a recording in order, and the action that caused each request. */
export class Actions {
  private readonly kept: StoredAction[] = [];
  private readonly undone: Undone[] = [];
  dropped = 0;

  get list(): readonly RecordedAction[] {
    return this.kept;
  }

  add(tab: number, action: Omit<RecordedAction, 'title'>): void {
    const last = this.kept.findLast(({ tabs }) => tabs.has(tab));
    if (action.kind === 'submit' && last?.kind === 'click' && action.atMs - last.atMs < MAX_SAME_ACTION_MS) {
      last.kind = 'submit';
      return;
    }
    if (this.kept.length >= MAX_ACTIONS) {
      this.dropped += 1;
      return;
    }
    const shortened: StoredAction = { ...action, text: action.text.slice(0, MAX_NAME_LENGTH), title: '', tabs: new Set([tab]) };
    // Reports from other tabs and about navigations may arrive late, so the action is inserted by its time.
    const before = this.kept.findLastIndex(({ atMs }) => atMs <= shortened.atMs);
    this.kept.splice(before + 1, 0, shortened);
  }

  /** If a click opened the tab, adds the tab to that click. */
  openTab(tab: number, opener: number, atMs: number, url: string): void {
    const click = this.kept.findLast(({ tabs }) => tabs.has(opener));
    if (click !== undefined && (click.kind === 'click' || click.kind === 'submit') && atMs - click.atMs < MAX_TAB_DELAY_MS) {
      click.kind = 'tab';
      click.tabs.add(tab);
    } else this.add(tab, { kind: 'tab', atMs, text: '', role: 'page', url });
  }

  /** Adds a remark of the user. It causes no request. */
  mark(text: string, atMs: number): void {
    this.add(NO_TAB, { kind: 'mark', atMs, text, role: 'page', url: '' });
  }

  setTitle(tab: number, title: string): void {
    const last = this.kept.findLast(({ tabs }) => tabs.has(tab));
    if (last !== undefined) last.title = title.slice(0, MAX_TITLE_LENGTH);
  }

  /** Removes the last action. The requests that it caused so far then belong to no action. */
  undo(nowMs: number): boolean {
    const action = this.kept.pop();
    if (action !== undefined) this.undone.push({ action, untilMs: nowMs });
    return action !== undefined;
  }

  /**
   * Returns the index of the action that caused a request: the latest action before the request in the same tab, or else in any tab.
   * Returns 'undone' if that action was removed, and null if there was none.
   */
  getCause(tab: number, startMs: number): number | 'undone' | null {
    const untilMs = startMs + MAX_CLOCK_DIFFERENCE_MS;
    const findLatest = (isHere: (action: StoredAction) => boolean): number =>
      this.kept.findLastIndex((action) => !ACTIONS_WITHOUT_REQUESTS.has(action.kind) && action.atMs <= untilMs && isHere(action));
    const here = findLatest(({ tabs }) => tabs.has(tab));
    const index = here >= 0 ? here : findLatest(() => true);
    const taken = this.undone.findLast(({ action, untilMs: end }) => action.tabs.has(tab) && action.atMs <= untilMs && startMs <= end);
    if (taken !== undefined && taken.action.atMs >= (this.kept[index]?.atMs ?? 0)) return 'undone';
    return index < 0 ? null : index;
  }

  /** Returns the actions for the recording, without internal fields. */
  toRecorded(clean: (text: string) => string): RecordedAction[] {
    return this.kept.map(({ kind, atMs, text, role, title, url }) => ({
      kind,
      atMs: Math.round(atMs),
      text: clean(text),
      role,
      title: clean(title),
      url: clean(url),
    }));
  }
}
