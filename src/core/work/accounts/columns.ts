/** What other systems call the columns of their lists of accounts; compared without case, spaces and signs. */
const ALIASES = {
  username: ['username', 'user', 'userid', 'login', 'loginname', 'acname', 'account', 'accountname'],
  password: ['password', 'pass', 'passwd', 'pwd', 'acpassword'],
  email: ['email', 'emailaddress', 'mail', 'personalemail'],
  first_name: ['firstname', 'givenname', 'nome'],
  last_name: ['lastname', 'surname', 'familyname', 'cognome'],
} as const satisfies Record<string, readonly string[]>;

type AccountColumn = keyof typeof ALIASES;

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

/** What a column is, whatever its list calls it; null for one that has no common name. */
export function commonName(column: string): AccountColumn | null {
  const looked = plain(column);
  for (const [name, aliases] of Object.entries(ALIASES)) {
    const known: readonly string[] = aliases;
    if (known.includes(looked)) return name as AccountColumn;
  }
  return null;
}

/**
 * The columns of a list under the names that a plan asks for: a column that is not there by that name is the only one that means the
 * same. Those that are there keep their names.
 */
export function underAskedNames(columns: readonly string[], asked: Iterable<string>): string[] {
  const names = [...columns];
  for (const wanted of asked) {
    if (names.includes(wanted)) continue;
    const meaning = commonName(wanted);
    const same = names.flatMap((name, index) => (meaning !== null && commonName(name) === meaning ? [index] : []));
    const [only] = same;
    if (same.length === 1 && only !== undefined) names[only] = wanted;
  }
  return names;
}

/** Values of such columns are never shown. */
export function isSecretColumn(column: string): boolean {
  return /pass(word|wd|code)?|pwd|secret|token|pin$|api[-_ ]?key/i.test(column);
}
