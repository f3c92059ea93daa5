import { expect, it } from 'vitest';
import type { Session } from 'electron';
import { denyPermissions, isAllowed } from './permissions.ts';

const DENIED_PERMISSIONS = [
  'media',
  'geolocation',
  'notifications',
  'midi',
  'midiSysex',
  'pointerLock',
  'fullscreen',
  'openExternal',
  'clipboard-read',
  'hid',
  'serial',
  'usb',
  'storage-access',
  'window-management',
  'display-capture',
  'fileSystem',
  'unknown',
  'idle-detection',
  'constructor',
  '__proto__',
];

it.each(DENIED_PERMISSIONS)('permissions: %s is denied', (permission) => expect(isAllowed(permission)).toBe(false));

it('permissions: the page may write plain text and pictures to the clipboard', () =>
  expect(isAllowed('clipboard-sanitized-write')).toBe(true));

it('permissions: requests and silent checks use the same table, and devices are denied', () => {
  type Question = (contents: null, permission: string, reply: (isGranted: boolean) => void) => void;
  let question: Question | undefined;
  let check: ((contents: null, permission: string) => boolean) | undefined;
  let device: (() => boolean) | undefined;
  const session = {
    setPermissionRequestHandler: (handler: Question) => (question = handler),
    setPermissionCheckHandler: (handler: typeof check) => (check = handler),
    setDevicePermissionHandler: (handler: typeof device) => (device = handler),
  };
  denyPermissions(session as unknown as Session);
  const replies: boolean[] = [];
  question?.(null, 'media', (isGranted) => replies.push(isGranted));
  question?.(null, 'clipboard-sanitized-write', (isGranted) => replies.push(isGranted));
  expect(replies).toEqual([false, true]);
  expect(check?.(null, 'geolocation')).toBe(false);
  expect(device?.()).toBe(false);
});
