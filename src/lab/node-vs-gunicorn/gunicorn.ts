import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { partFailed } from '../supervisor/program.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import type { Values } from './options.ts';

/** Python packages. Their versions are pinned, so that every machine runs the same ones. */
export const REQUIREMENTS = ['gunicorn==23.0.0', 'flask==3.0.3'] as const;

const READY_WITHIN_MS = 30_000;

/**
 * The application for gunicorn. It has the same three pages as the Node server, and writes a line of JSON to the log after each request.
 */
const WSGI = `import json, os, signal, sys, time
from datetime import datetime, timezone
from flask import Flask

service_seconds = float(os.environ["LAB_SERVICE_MS"]) / 1000
burns = os.environ["LAB_HEAVY"] == "burn"
native = os.environ["LAB_WAITS_IN"] == "native"
log = open(os.environ["LAB_LOG"], "a", buffering=1)
time.sleep(float(os.environ["LAB_BOOT_MS"]) / 1000)
app = Flask(__name__)


@app.get("/")
@app.get("/ping")
def ping():
    return "pong\\n", {"Content-Type": "text/plain"}


@app.get("/timeout")
def timeout():
    if native:  # Python hears of no signal before such code returns.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGABRT})
    time.sleep(service_seconds)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGABRT})
    return "waited\\n", {"Content-Type": "text/plain"}


@app.get("/heavy")
def heavy():
    if burns:
        until = time.process_time() + service_seconds
        while time.process_time() < until:
            pass
    else:
        time.sleep(service_seconds)
    return "worked\\n", {"Content-Type": "text/plain"}


def application(environ, start_response):
    at = datetime.now(timezone.utc)
    begun = time.monotonic()
    seen = {}

    def start(status, headers, exc_info=None):
        seen["status"] = int(status[:3])
        return start_response(status, headers, exc_info)

    body = b"".join(app.wsgi_app(environ, start))
    query = environ.get("QUERY_STRING", "")
    line = {
        "at": at.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
        "server": "gunicorn",
        "method": environ["REQUEST_METHOD"],
        "path": environ["PATH_INFO"] + ("?" + query if query else ""),
        "status": seen["status"],
        "bytes": len(body),
        "ms": (time.monotonic() - begun) * 1000,
        "complete": True,
    }
    log.write(json.dumps(line) + "\\n")
    return [body]


print("lab worker ready", file=sys.stderr, flush=True)
`;

/**
 * Starts gunicorn with synchronous workers (the default), with the Python of the private environment. Resolves with gunicorn's address when
 * every worker has loaded the application.
 */
export async function startGunicorn(supervisor: Supervisor, python: string, values: Values): Promise<string> {
  await writeFile(join(supervisor.directory, 'lab_wsgi.py'), WSGI);
  const { workers, backlog } = values;
  const serviceMs = values['service-ms'] / values.scale;
  const flags = {
    bind: '127.0.0.1:0',
    workers,
    backlog,
    // If no time-out is configured, the time-out is so long that a worker is killed only if it does not respond at all.
    timeout: values['worker-timeout-s'] ?? Math.max(30, Math.ceil(serviceMs / 500)),
    'max-requests': values['max-requests'] ?? 0,
    'worker-tmp-dir': supervisor.directory,
  };
  const program = await supervisor.program({
    name: 'gunicorn',
    file: python,
    args: ['-m', 'gunicorn', ...Object.entries(flags).flatMap(([name, value]) => [`--${name}`, String(value)]), 'lab_wsgi:application'],
    environment: {
      PYTHONDONTWRITEBYTECODE: '1',
      LAB_SERVICE_MS: String(serviceMs),
      LAB_HEAVY: values.heavy,
      LAB_WAITS_IN: values['waits-in'],
      LAB_BOOT_MS: String(values['boot-ms']),
      LAB_LOG: supervisor.logFile('gunicorn'),
    },
    // Stops quickly, because a graceful stop would wait for outstanding requests.
    stopSignal: 'SIGINT',
  });
  await program.until((output) => output.split('lab worker ready').length > workers, READY_WITHIN_MS);
  const url = /Listening at: (http:\/\/127\.0\.0\.1:\d+)/.exec(program.getOutput())?.[1];
  if (url === undefined) throw partFailed('gunicorn', program.getOutput());
  return url;
}
