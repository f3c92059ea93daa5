import { findElectron } from '../launch/electron.mjs';

/** Electron's executable for the tests of the desktop app, or why they cannot run here. */
export async function desktopForTests(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly file: string } | { readonly reason: string }> {
  const { file, reason } = await findElectron({ root, environment });
  if (file === undefined) return { reason: reason ?? 'there is no Electron' };
  const hasDisplay = process.platform !== 'linux' || environment['DISPLAY'] !== undefined || environment['WAYLAND_DISPLAY'] !== undefined;
  return hasDisplay ? { file } : { reason: 'there is no display (xvfb-run npm test gives it one)' };
}
