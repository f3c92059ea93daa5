/** A test as it was written down. */
export interface Test {
  readonly name: string;
  readonly run: () => unknown;
}

type Body = (...args: never[]) => unknown;
type Each = (name: string, body: Body) => void;

/** What of Vitest the pure tests of the core use. */
export interface Suite {
  readonly describe: unknown;
  readonly it: unknown;
  readonly tests: readonly Test[];
}

const argumentsOf = (one: unknown): never[] => (Array.isArray(one) ? one : [one]) as never[];

/** `describe` and `it`, which write down the tests and run none: only some of them are to be run for a change, and hundreds of times. */
export function newSuite(): Suite {
  const tests: Test[] = [];
  const names: string[] = [];
  const group = (name: string, body: Body, ...args: never[]): void => {
    names.push(name);
    body(...args);
    names.pop();
  };
  const test = (name: string, body: Body, ...args: never[]): void => {
    tests.push({ name: [...names, name].join(' > '), run: () => body(...args) });
  };
  const each =
    (add: (name: string, body: Body, ...args: never[]) => void) =>
    (cases: readonly unknown[]): Each =>
    (name, body) => {
      for (const one of cases) add(name, body, ...argumentsOf(one));
    };
  const skipIf = (isSkipped: unknown) => (isSkipped ? () => {} : group);
  return { tests, describe: Object.assign(group, { each: each(group), skipIf }), it: Object.assign(test, { each: each(test) }) };
}
