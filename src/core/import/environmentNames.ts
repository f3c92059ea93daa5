import { freeName, valueName } from './placeholders.ts';

const NAME_PREFIX = 'HOLDFAST_';

/** Returns the name of the environment variable from which an imported plan reads a value. */
export function environmentName(name: string): string {
  return `${NAME_PREFIX}${name.replaceAll('-', '_').toUpperCase()}`;
}

/** Returns an environment variable name for a secret by its label; numbered if another secret has that name. `taken`: the secrets so far. */
export function secretName(label: string, value: string, taken: ReadonlyMap<string, string>): string {
  return freeName(environmentName(valueName(label, 'SECRET')), (name) => (taken.get(name) ?? value) !== value);
}

/** Returns the name of the plan variable that has its value from an environment variable. */
export function variableName(environment: string): string {
  return environment.slice(NAME_PREFIX.length).toLowerCase();
}
