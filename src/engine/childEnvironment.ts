/** What programs of the system need to run as they do for this person, by the names of the variables, in upper case. */
const NEEDED =
  /^(?:PATH|PATHEXT|HOME|USER|LOGNAME|USERNAME|USERPROFILE|SHELL|COMSPEC|LANG|LANGUAGE|LC_\w+|TZ|TMP|TEMP|TMPDIR|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_\w+_BUS_ADDRESS|LD_LIBRARY_PATH|DYLD_\w+|NIX_\w+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES\S*|NODE_COMPILE_CACHE|SSL_CERT_\w+|GOMAXPROCS|GOMEMLIMIT)$/;

/**
 * The environment for a program that Holdfast starts for itself. Secrets of the environment are no business of it: a child keeps what it was started with for as long
 * as it lives, and hands it on to its own.
 */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => NEEDED.test(name.toUpperCase())));
}
