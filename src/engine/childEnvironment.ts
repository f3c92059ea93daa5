/** Matches variables that system programs need, by their upper-case name. */
const NEEDED_VARIABLE_PATTERN =
  /^(?:PATH|PATHEXT|HOME|USER|LOGNAME|USERNAME|USERPROFILE|SHELL|COMSPEC|LANG|LANGUAGE|LC_\w+|TZ|TMP|TEMP|TMPDIR|XDG_\w+|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|DBUS_\w+_BUS_ADDRESS|LD_LIBRARY_PATH|DYLD_\w+|NIX_\w+|SYSTEMROOT|SYSTEMDRIVE|WINDIR|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES\S*|NODE_COMPILE_CACHE|SSL_CERT_\w+|GOMAXPROCS|GOMEMLIMIT)$/;

/**
 * Returns the environment for a child process. It contains no secrets, because a child keeps its environment for as long as it lives, and
 * passes it on to its own children.
 */
export function childEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => NEEDED_VARIABLE_PATTERN.test(name.toUpperCase())));
}
