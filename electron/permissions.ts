import type { Session } from 'electron';

/** Everything is denied but these lines, each with its reason. */
const allowed: Readonly<Record<string, string>> = {
  'clipboard-sanitized-write': 'buttons that copy a table, a command or a chart',
};

/** Whether the page may have a permission that Chromium asks about. */
export function isAllowed(permission: string): boolean {
  return Object.hasOwn(allowed, permission);
}

/** Puts the table in force, for questions and for silent checks alike. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, answer) => answer(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
}
