import { describe, expect, it } from 'vitest';
import { listControls, listOfferedFields } from './offeredForm.ts';

const EXAM = `
<form action="/search"><input name="q" value=""></form>
<form method="post"><input type="hidden" name="attempt" value="70&amp;2"><input type="hidden" name="q7:1_:sequencecheck" value="3">
  <input type="radio" name="q7:1_choice" value="-1" aria-hidden="true" checked>
  <input type="radio" name="q7:1_choice" value="0" id="a0"><label for="a0">The <b>Rhine</b></label>
  <input type="radio" name="q7:1_choice" value="1" aria-labelledby="w1"><div id="w1">The Meuse</div>
  <label><input type="radio" name="q7:1_choice" value="2"> The Seine </label>
  <li><input type="radio" name="q7:1_choice" value="3"> The Loire</li>
  <select name="country"><option value="">Choose<option value="fr">France<option value="nl" selected>Netherlands</select>
  <input type="checkbox" name="sure" value="yes" id="s"><label for="s">I am sure</label><input type="checkbox" name="told" checked>
  <textarea name="why">
</textarea><textarea name="note">As before</textarea><input name="empty"><input name="kept" value="x"><input name="mail" type="email">
  <input disabled name="off" value="1"><input type="submit" name="next" value="Next"><button name="go">Go</button>
</form>`;

const fieldsOf = (more: object = {}, draws: readonly number[] = []) =>
  listOfferedFields(EXAM, {
    field: 'q*_choice',
    choose: 'random',
    labels: undefined,
    text: null,
    draw: (index) => draws[index] ?? 0,
    ...more,
  });

describe('listOfferedFields', () => {
  it('keeps fixed fields and selects one option of each choice', () => {
    expect(fieldsOf()).toEqual([
      ['attempt', '70&2'],
      ['q7:1_:sequencecheck', '3'],
      ['q7:1_choice', '0'],
      ['country', 'fr'],
      ['sure', 'yes'],
      ['told', 'on'],
      ['why', ''],
      ['note', 'As before'],
      ['empty', ''],
      ['kept', 'x'],
      ['mail', ''],
    ]);
    const other = new Map(fieldsOf({ text: 'My words' }, [0.99, 0.99, 0.99, 0.99]));
    expect([other.get('q7:1_choice'), other.get('country'), other.get('why'), other.get('note'), other.get('empty')]).toEqual([
      '3',
      'nl',
      'My words',
      'As before',
      'My words',
    ]);
    expect(other.has('sure')).toBe(false);
  });

  it('selects options by label, wherever the label is', () => {
    for (const [label, value] of [
      ['The Rhine', '0'],
      ['the meuse', '1'],
      ['The  Seine', '2'],
      ['The Loire', '3'],
    ])
      // prettier-ignore
      expect(new Map(fieldsOf({ labels: ['Nothing', label] })).get('q7:1_choice')).toBe(value);
    const labelled = new Map(fieldsOf({ labels: ['Netherlands', 'I am sure'], choose: 'last' }));
    expect([labelled.get('country'), labelled.get('sure'), labelled.get('told'), labelled.get('q7:1_choice')]).toEqual([
      'nl',
      'yes',
      'on',
      '3',
    ]);
  });

  it('labels the last option without the text of the button after it', () => {
    const page = (end: string): string =>
      `<form><p><input type="radio" name="a" value="1"> One</p><p><input type="radio" name="a" value="2"> Two${end}`;
    for (const end of ['</p><button>Next</button></form>', '<br>Words', '<button>Next</button>', '</form>Words'])
      expect(listControls(page(end)).map(({ label }) => label.trim())).toEqual(expect.arrayContaining(['One', 'Two']));
  });

  it('returns null if no form has the field', () => {
    expect(fieldsOf({ field: 'nothing' })).toBeNull();
    expect(fieldsOf({ field: 'q' })).toEqual([['q', '']]);
    expect(fieldsOf({ field: 'sure' })).not.toBeNull();
  });

  it('uses the labels that listControls returns', () => {
    expect(
      listControls(EXAM)
        .filter(({ type }) => /^(radio|checkbox|option)$/.test(type))
        .map(({ value, label }) => `${value}: ${label.trim()}`),
    ).toEqual([
      '0: The Rhine',
      '1: The Meuse',
      '2: The Seine',
      '3: The Loire',
      ': Choose',
      'fr: France',
      'nl: Netherlands',
      'yes: I am sure',
      ': ',
    ]);
  });

  it('reads at most 2,000 fields', () => {
    const long = `<form>${'<input type="radio" name="a" value="1">'.repeat(100_000)}</form>`;
    expect(listOfferedFields(long, { field: 'a', choose: 'last', labels: undefined, text: null, draw: () => 0 })).toEqual([['a', '1']]);
  });
});
