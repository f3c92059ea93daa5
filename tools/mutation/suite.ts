/** A recorded test. */
export interface Test {
  readonly name: string;
  readonly run: () => unknown;
}

type Body = (...args: never[]) => unknown;
type Add = (name: string, body: Body, args: never[]) => void;
/** Options may come before the body, or a time limit after it. */
type Written = (name: string, ...rest: unknown[]) => void;

/** The parts of Vitest that the pure tests of the core use. */
export interface Suite {
  readonly describe: unknown;
  readonly it: unknown;
  /** Returns the tests that were recorded since the last call. */
  readonly take: () => readonly Test[];
}

const argumentsOf = (one: unknown): never[] => (Array.isArray(one) ? one : [one]) as never[];

/** Returns `describe` and `it` that record tests without running them: for a change only some are run, and hundreds of times. */
export function newSuite(): Suite {
  const tests: Test[] = [];
  const names: string[] = [];
  const addGroup: Add = (name, body, args) => {
    names.push(name);
    body(...args);
    names.pop();
  };
  const addTest: Add = (name, body, args) => void tests.push({ name: [...names, name].join(' > '), run: () => body(...args) });
  const once =
    (add: Add): Written =>
    (name, ...rest) =>
      add(name, bodyOf(rest), []);
  const each =
    (add: Add) =>
    (cases: readonly unknown[]): Written =>
    (name, ...rest) => {
      for (const one of cases) add(name, bodyOf(rest), argumentsOf(one));
    };
  const skipIf = (isSkipped: unknown): Written => (isSkipped ? () => {} : once(addGroup));
  return {
    take: () => tests.splice(0),
    describe: Object.assign(once(addGroup), { each: each(addGroup), skipIf }),
    it: Object.assign(once(addTest), { each: each(addTest) }),
  };
}

const bodyOf = (rest: readonly unknown[]): Body => rest.find((one) => typeof one === 'function') as Body;
