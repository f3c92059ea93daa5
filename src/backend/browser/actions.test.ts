import { describe, expect, it } from 'vitest';
import { Actions } from './actions.ts';

const click = (atMs: number, text = 'Go') => ({ kind: 'click' as const, atMs, text, role: 'button' as const, url: '' });
const listKinds = (actions: Actions): string[] => actions.list.map(({ kind, text }) => `${kind} ${text}`);

describe('Actions', () => {
  it('relates a request to the last action in its tab, or else in any tab', () => {
    const actions = new Actions();
    actions.add(1, click(100));
    actions.add(2, click(200));
    expect(actions.getCause(1, 250)).toBe(0);
    expect(actions.getCause(2, 250)).toBe(1);
    expect(actions.getCause(3, 250)).toBe(1);
    // The clocks of a page and of its requests differ slightly.
    expect(actions.getCause(2, 197)).toBe(1);
    expect(actions.getCause(1, 50)).toBeNull();
  });

  it('merges a click and the form that it submits', () => {
    const actions = new Actions();
    actions.add(1, click(100, 'Log in'));
    actions.add(1, { ...click(120, 'Log in'), kind: 'submit' });
    actions.add(1, { ...click(2_000, 'Search'), kind: 'submit' });
    expect(listKinds(actions)).toEqual(['submit Log in', 'submit Search']);
  });

  it('relates the requests of a new tab to the click that opened the tab', () => {
    const actions = new Actions();
    actions.add(1, click(100, 'Task'));
    actions.openTab(2, 1, 150, '');
    actions.openTab(3, 1, 60_000, '');
    expect(listKinds(actions)).toEqual(['tab Task', 'tab ']);
    expect(actions.getCause(2, 160)).toBe(0);
    expect(actions.getCause(1, 160)).toBe(0);
    expect(actions.getCause(3, 60_010)).toBe(1);
  });

  it('undoes an action together with the requests that it caused until then', () => {
    const actions = new Actions();
    actions.add(1, click(100));
    actions.add(1, click(200));
    expect(actions.undo(300)).toBe(true);
    expect(actions.getCause(1, 250)).toBe('undone');
    expect(actions.getCause(1, 350)).toBe(0);
    expect(actions.getCause(1, 150)).toBe(0);
  });

  it('sorts actions by time, limits the number of actions, and relates no request to a remark', () => {
    const actions = new Actions();
    actions.add(1, click(200, 'later'));
    actions.add(1, { ...click(100, 'earlier'), kind: 'reload' });
    actions.mark('here', 300);
    expect(listKinds(actions)).toEqual(['reload earlier', 'click later', 'mark here']);
    expect(actions.getCause(1, 400)).toBe(1);
    for (let time = 400; time < 1_500; time += 1) actions.add(1, click(time * 1_000));
    expect(actions.list).toHaveLength(1_000);
    expect(actions.dropped).toBe(103);
  });
});
