/** What a person did, as the recording keeps it. */
export interface RecordedAction {
  kind: 'open' | 'click' | 'submit' | 'choose' | 'mark' | 'back' | 'reload' | 'tab' | 'upload' | 'download';
  /** Since 1970. */
  readonly atMs: number;
  readonly text: string;
  readonly role: 'link' | 'button' | 'form' | 'field' | 'page';
  /** Of the page after it. */
  title: string;
  /** Of the page before it. */
  readonly url: string;
}

interface Kept extends RecordedAction {
  /** Tabs in which it was seen, by their numbers: the one it was done in, and those that it opened. */
  readonly tabs: Set<number>;
}

interface Undone {
  readonly action: Kept;
  readonly untilMs: number;
}

const MOST_ACTIONS = 1_000;
/** The clock of the page and that of the network differ by less. */
const CLOCKS_DIFFER_MS = 5;
/** The click on a button and the form that it sends are one action. */
const ONE_ACTION_MS = 500;
/** A tab that opens so soon after a click was opened by it. */
const OPENS_TAB_MS = 3_000;
const CAUSES_NOTHING: ReadonlySet<RecordedAction['kind']> = new Set(['mark', 'download']);
const LONGEST_NAME = 80;
const LONGEST_TITLE = 200;
const NO_TAB = -1;

/** The actions of a recording in their order, and which request belongs to which. */
export class Actions {
  private readonly kept: Kept[] = [];
  private readonly undone: Undone[] = [];
  dropped = 0;

  get list(): readonly RecordedAction[] {
    return this.kept;
  }

  add(tab: number, action: Omit<RecordedAction, 'title'>): void {
    const last = this.kept.findLast(({ tabs }) => tabs.has(tab));
    if (action.kind === 'submit' && last?.kind === 'click' && action.atMs - last.atMs < ONE_ACTION_MS) {
      last.kind = 'submit';
      return;
    }
    if (this.kept.length >= MOST_ACTIONS) {
      this.dropped += 1;
      return;
    }
    const kept: Kept = { ...action, text: action.text.slice(0, LONGEST_NAME), title: '', tabs: new Set([tab]) };
    // Reports of several tabs, and of a navigation that has begun before its page tells, come late.
    const before = this.kept.findLastIndex(({ atMs }) => atMs <= kept.atMs);
    this.kept.splice(before + 1, 0, kept);
  }

  /** A tab was opened out of another one: by the click before it, if there was one. */
  openTab(tab: number, opener: number, atMs: number, url: string): void {
    const click = this.kept.findLast(({ tabs }) => tabs.has(opener));
    if (click !== undefined && (click.kind === 'click' || click.kind === 'submit') && atMs - click.atMs < OPENS_TAB_MS) {
      click.kind = 'tab';
      click.tabs.add(tab);
    } else this.add(tab, { kind: 'tab', atMs, text: '', role: 'page', url });
  }

  /** A remark between two actions; it causes nothing. */
  mark(text: string, atMs: number): void {
    this.add(NO_TAB, { kind: 'mark', atMs, text, role: 'page', url: '' });
  }

  titled(tab: number, title: string): void {
    const last = this.kept.findLast(({ tabs }) => tabs.has(tab));
    if (last !== undefined) last.title = title.slice(0, LONGEST_TITLE);
  }

  /** Whether anything was done in this tab since then. */
  hasIn(tab: number, sinceMs: number): boolean {
    return this.kept.some(({ tabs, atMs }) => tabs.has(tab) && atMs >= sinceMs);
  }

  /** Takes the last action back; what was sent because of it until now belongs to nothing. */
  undo(nowMs: number): boolean {
    const action = this.kept.pop();
    if (action !== undefined) this.undone.push({ action, untilMs: nowMs });
    return action !== undefined;
  }

  /** The action that caused a request: the latest before it in its tab, else in any. `undone` where that was taken back, null where there is none. */
  causeOf(tab: number, startMs: number): number | 'undone' | null {
    const untilMs = startMs + CLOCKS_DIFFER_MS;
    const latest = (isHere: (action: Kept) => boolean): number =>
      this.kept.findLastIndex((action) => !CAUSES_NOTHING.has(action.kind) && action.atMs <= untilMs && isHere(action));
    const here = latest(({ tabs }) => tabs.has(tab));
    const index = here >= 0 ? here : latest(() => true);
    const taken = this.undone.findLast(({ action, untilMs: end }) => action.tabs.has(tab) && action.atMs <= untilMs && startMs <= end);
    if (taken !== undefined && taken.action.atMs >= (this.kept[index]?.atMs ?? 0)) return 'undone';
    return index < 0 ? null : index;
  }

  /** For the recording: without what is only of use here. */
  written(clean: (text: string) => string): RecordedAction[] {
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
