import type { Session } from 'electron';

/** The only permissions that are allowed, each with the reason. */
const ALLOWED_PERMISSIONS: Readonly<Record<string, string>> = {
  'clipboard-sanitized-write': 'buttons that copy a table, a command or a chart',
};

/** Returns whether the page may have a permission. */
export function isAllowed(permission: string): boolean {
  return Object.hasOwn(ALLOWED_PERMISSIONS, permission);
}

/** Applies the table to requests for permissions, and to checks without a request. Denies access to every device. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, reply) => reply(isAllowed(permission)));
  session.setPermissionCheckHandler((_contents, permission) => isAllowed(permission));
  session.setDevicePermissionHandler(() => false);
}
