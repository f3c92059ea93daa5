/** Returns the functions that a script calls but does not define, and those that it defines but never calls. */
export function unmatchedFunctions(script: string): { missing: string[]; idle: string[] } {
  const withoutComments = script.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');
  const code = withoutComments
    .replaceAll(/\/(?![/\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*/g, "''")
    .replaceAll(/'(?:[^'\\\n]|\\.)*'/g, "''");
  const made = new Set([...code.matchAll(/^function (\w+)\(/gm)].map(([, name = '']) => name));
  const local = new Set([...code.matchAll(/^ +const (\w+) = \(/gm)].map(([, name = '']) => name));
  const known = new Set([...code.matchAll(/^import \{ ([^}]*) \}/gm)].flatMap(([, names = '']) => names.split(', ')));
  const called = new Set([...code.matchAll(/(?<![.\w])([a-z]\w*)\(/g)].map(([, name = '']) => name));
  const usual = /^(if|for|switch|function|catch|open|encodeURIComponent|setup|begin|ask|x)$/;
  return {
    missing: [...called].filter((name) => !made.has(name) && !known.has(name) && !local.has(name) && !usual.test(name)),
    // Parts of an address look like a regular expression, so calls inside them are missing from `code`.
    idle: [...made, ...known].filter((name) => withoutComments.split(new RegExp(`\\b${name}\\b`)).length <= 2),
  };
}
