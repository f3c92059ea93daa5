import type { Field } from './field.ts';

interface OfName {
  /** Number of the field that was added last. */
  last: number;
  readonly values: Map<string, number>;
}

/** Finds the number of a field, or of any field of its name, among those that were added. */
export class FieldIndex {
  private readonly names = new Map<string, OfName>();

  /** What is equal and was added before is found no more. */
  add({ name, value }: Field, number: number): void {
    const ofName = this.names.get(name);
    if (ofName === undefined) {
      this.names.set(name, { last: number, values: new Map([[value, number]]) });
      return;
    }
    ofName.last = number;
    ofName.values.set(value, number);
  }

  /** Fields are removed in the order in which they were added. */
  remove({ name, value }: Field, number: number): void {
    const ofName = this.names.get(name);
    if (ofName === undefined) return;
    if (ofName.last === number) this.names.delete(name);
    else if (ofName.values.get(value) === number) ofName.values.delete(value);
  }

  /** -1 when there is none. */
  find({ name, value }: Field): number {
    return this.names.get(name)?.values.get(value) ?? -1;
  }

  /** Of the field of that name that was added last; -1 when there is none. */
  findName(name: string): number {
    return this.names.get(name)?.last ?? -1;
  }
}
