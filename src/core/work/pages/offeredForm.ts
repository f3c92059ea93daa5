import type { FormCapture } from '#core/plan/schema/journey.ts';
import { readTags } from './readTags.ts';

const MAX_CHARACTERS = 1_000_000;
const MAX_CONTROLS = 2_000;
const MAX_LABEL_CHARACTERS = 300;

/** Types of inputs without a user value. Buttons are sent only when they are pressed. */
const BUTTON_TYPES = new Set(['submit', 'button', 'image', 'reset', 'file']);
/** Types of text inputs, which are filled in with text if they are empty. */
const TEXT_TYPES = new Set(['', 'text', 'search', 'textarea']);

/** A field of a form, with its label if it is an option. */
export interface Control {
  readonly form: number;
  readonly name: string;
  readonly type: string;
  readonly id: string;
  value: string;
  readonly isChosen: boolean;
  /** Whether the field cannot be selected: it is disabled or hidden. */
  readonly isOut: boolean;
  label: string;
  readonly labelledBy: string;
}

/** Tags that end the text after an option. */
const LABEL_ENDING_TAG_PATTERN = /^(br|button|dd|div|dt|fieldset|form|h[1-6]|hr|li|p|td|tr|ul|ol|table)$/;

/** Values to enter into a form. */
export interface FormWishes extends Pick<FormCapture, 'field' | 'choose' | 'labels'> {
  /** Text for empty text fields; null to leave them empty. */
  readonly text: string | null;
  /** Returns the random number with this index, in [0, 1). */
  readonly draw: (index: number) => number;
}

/**
 * Returns the fields of a form as a user sends them: hidden fields unchanged, and one offered option of each radio group, checkbox or list.
 * Uses the first form with a field named `field`, in which `*` matches any text. Returns null if there is none.
 */
export function listOfferedFields(html: string, { field, choose, labels, text, draw }: FormWishes): [name: string, value: string][] | null {
  const controls = new ControlReader().read(html.slice(0, MAX_CHARACTERS));
  const isWanted = namePattern(field);
  const form = controls.find(({ name, form: number }) => number >= 0 && isWanted(name))?.form;
  if (form === undefined) return null;
  const own = controls.filter((control) => control.form === form && control.name !== '' && !BUTTON_TYPES.has(control.type));
  const wanted = new Set((labels ?? []).map(labelKey));
  let draws = 0;
  const findChosen = (options: readonly Control[]): Control | undefined => {
    const possible = options.filter(({ isOut, type, value }) => !isOut && (type !== 'option' || value !== ''));
    const labelled = possible.find(({ label }) => wanted.has(labelKey(label)));
    if (labelled !== undefined || possible.length === 0) return labelled;
    if (choose === 'random') return possible[Math.floor(draw(draws++) * possible.length)];
    return choose === 'first' ? possible[0] : possible.at(-1);
  };
  const groups = new Map<string, Control | undefined>();
  return own.flatMap((control): [string, string][] => {
    const { name, type, value, isOut } = control;
    if (type === 'radio' || type === 'option') {
      const key = `${type} ${name}`;
      if (!groups.has(key)) groups.set(key, findChosen(own.filter((other) => other.type === type && other.name === name)));
      return groups.get(key) === control ? [[name, value]] : [];
    }
    if (isOut) return [];
    if (type === 'checkbox') {
      const isLabelled = wanted.has(labelKey(control.label));
      const isTicked = isLabelled || (choose === 'random' && wanted.size === 0 ? draw(draws++) < 0.5 : control.isChosen);
      return isTicked ? [[name, value === '' ? 'on' : value]] : [];
    }
    return [[name, value === '' && text !== null && takesText(type, text) ? text : value]];
  });
}

/** Returns whether any text can be entered into an input of this type. An e-mail field, for example, takes only an address. */
function takesText(type: string, text: string): boolean {
  return TEXT_TYPES.has(type) || (type === 'email' && text.includes('@'));
}

/** Normalizes a label for comparison: blanks and case do not matter. */
export function labelKey(label: string): string {
  return label.replaceAll(/\s+/g, ' ').trim().toLowerCase();
}

/** Returns the fields of a page that can be filled in or are sent. */
export function listControls(html: string): readonly Control[] {
  return new ControlReader().read(html.slice(0, MAX_CHARACTERS)).filter(({ isOut }) => !isOut);
}

function namePattern(field: string): (name: string) => boolean {
  const [first = '', ...others] = field.split('*');
  const last = others.pop();
  if (last === undefined) return (name) => name === field;
  return (name) => {
    if (!name.startsWith(first)) return false;
    let position = first.length;
    for (const piece of others) {
      const found = name.indexOf(piece, position);
      if (found < 0) return false;
      position = found + piece.length;
    }
    return name.endsWith(last) && name.length - last.length >= position;
  };
}

/** Reads the fields of all forms and the labels of their options. */
class ControlReader {
  private readonly controls: Control[] = [];
  private readonly labels = new Map<string, string>();
  /** Ids of elements that options name as their labels. */
  private readonly awaited = new Set<string>();
  private forms = 0;
  private form = -1;
  private select: { readonly name: string; readonly isOut: boolean } | null = null;
  /** The label, option, text area or labelling element that is being read. */
  private reading: { readonly tag: string; depth: number; text: string; readonly id: string; readonly own: Control[] } | null = null;
  /** An option whose label is the text after it. */
  private bare: Control | null = null;

  read(html: string): readonly Control[] {
    readTags(html, {
      wants: () => true,
      open: (tag, attributes) => this.open(tag, attributes),
      close: (tag) => this.close(tag),
      text: (text) => this.text(text),
    });
    for (const control of this.controls) {
      const label = this.labels.get(control.id) ?? this.labels.get(control.labelledBy);
      if (label !== undefined) control.label = label;
    }
    return this.controls;
  }

  private open(tag: string, attributes: ReadonlyMap<string, string>): void {
    if (this.reading?.tag === tag && tag !== 'option') this.reading.depth += 1;
    if (tag === 'form') this.form = this.forms++;
    const isOut = attributes.has('disabled') || attributes.get('aria-hidden') === 'true';
    const control = (type: string, name: string, isChosen: boolean, isAway = isOut): Control => ({
      form: this.form,
      name,
      type,
      id: attributes.get('id') ?? '',
      value: attributes.get('value') ?? '',
      isChosen,
      isOut: isAway,
      label: attributes.get('aria-label') ?? '',
      labelledBy: attributes.get('aria-labelledby')?.split(' ', 1)[0] ?? '',
    });
    if (tag === 'input') {
      const type = (attributes.get('type') ?? 'text').toLowerCase();
      this.add(control(type, attributes.get('name') ?? '', attributes.has('checked')));
    } else if (tag === 'textarea') this.begin(tag, this.add(control(tag, attributes.get('name') ?? '', false)));
    else if (tag === 'select') this.select = { name: attributes.get('name') ?? '', isOut };
    else if (tag === 'option' && this.select !== null) {
      this.end();
      this.begin(tag, this.add(control(tag, this.select.name, attributes.has('selected'), isOut || this.select.isOut)));
    } else if (this.reading === null) {
      const id = tag === 'label' ? (attributes.get('for') ?? '') : (attributes.get('id') ?? '');
      if (tag === 'label' || this.awaited.has(id)) this.reading = { tag, depth: 1, text: '', id, own: [] };
      else if (LABEL_ENDING_TAG_PATTERN.test(tag)) this.bare = null;
    }
  }

  private add(control: Control): Control | null {
    if (this.controls.length >= MAX_CONTROLS) return null;
    this.controls.push(control);
    if (control.labelledBy !== '') this.awaited.add(control.labelledBy);
    if (this.reading?.tag === 'label') this.reading.own.push(control);
    this.bare = /^(radio|checkbox)$/.test(control.type) && this.reading === null ? control : null;
    return control;
  }

  private begin(tag: string, control: Control | null): void {
    if (this.reading === null) this.reading = { tag, depth: 1, text: '', id: '', own: control === null ? [] : [control] };
  }

  private text(text: string): void {
    if (this.reading !== null && this.reading.text.length < MAX_LABEL_CHARACTERS * 4) this.reading.text += text;
    else if (this.bare !== null && this.bare.label.length < MAX_LABEL_CHARACTERS) this.bare.label += text;
  }

  private close(tag: string): void {
    if (tag === 'form') this.form = -1;
    if (LABEL_ENDING_TAG_PATTERN.test(tag)) this.bare = null;
    if (tag === 'select') {
      this.select = null;
      // The closing tag of an option may be missing.
      if (this.reading?.tag === 'option') this.end();
    }
    if (this.reading?.tag === tag && (this.reading.depth -= 1) === 0) this.end();
  }

  private end(): void {
    const { reading } = this;
    this.reading = null;
    if (reading === null) return;
    const text = reading.text.slice(0, MAX_LABEL_CHARACTERS).replaceAll(/\s+/g, ' ').trim();
    if (reading.id !== '') this.labels.set(reading.id, text);
    for (const control of reading.own) {
      if (reading.tag === 'textarea') control.value = reading.text.replace(/^\r?\n/, '');
      else control.label = text;
    }
  }
}
