import type { Field } from './field.ts';

interface OfName {
  /** Number of the field added last. */
  last: number;
  readonly values: Map<string, number>;
}

/** Finds the number of an added field, or of any field with its name. */
export class FieldIndex {
  private readonly names = new Map<string, OfName>();

  /** Adds a field. It hides equal fields that were added before. */
  add({ name, value }: Field, number: number): void {
    const ofName = this.names.get(name);
    if (ofName === undefined) {
      this.names.set(name, { last: number, values: new Map([[value, number]]) });
      return;
    }
    ofName.last = number;
    ofName.values.set(value, number);
  }

  /** Removes a field. Fields must be removed in the order of their addition. */
  remove({ name, value }: Field, number: number): void {
    const ofName = this.names.get(name);
    if (ofName === undefined) return;
    if (ofName.last === number) this.names.delete(name);
    else if (ofName.values.get(value) === number) ofName.values.delete(value);
  }

  /** Returns the number of a field; -1 if there is none. */
  find({ name, value }: Field): number {
    return this.names.get(name)?.values.get(value) ?? -1;
  }

  /** Returns the number of the last added field with a name; -1 if there is none. */
  findName(name: string): number {
    return this.names.get(name)?.last ?? -1;
  }
}
