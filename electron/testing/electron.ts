// A stand-in for the parts of Electron's API that the shell calls: it records what it is told and can play the other side.
import { EventEmitter } from 'node:events';

export const opened: string[] = [];
export const shell = { openExternal: (url: string): Promise<void> => Promise.resolve(void opened.push(url)) };

type Handler = (...values: never[]) => unknown;

export const handlers = new Map<string, Handler>();
export const ipcMain = Object.assign(new EventEmitter(), {
  handle: (channel: string, handler: Handler): void => void handlers.set(channel, handler),
});

export const privileged: unknown[] = [];
export const schemes = new Map<string, (request: Request) => Promise<Response>>();
export const protocol = {
  registerSchemesAsPrivileged: (list: unknown[]): void => void privileged.push(...list),
  handle: (scheme: string, handler: (request: Request) => Promise<Response>): void => void schemes.set(scheme, handler),
};

export const exposed = new Map<string, unknown>();
export const contextBridge = { exposeInMainWorld: (name: string, value: unknown): void => void exposed.set(name, value) };

export const sent: unknown[][] = [];
export const ipcRenderer = Object.assign(new EventEmitter(), {
  send: (...values: unknown[]): void => void sent.push(values),
  invoke: (...values: unknown[]): Promise<unknown> => Promise.resolve(void sent.push(values)),
});

/** A backend process that does what a test tells it. */
export class FakeProcess extends EventEmitter {
  readonly heard: unknown[] = [];
  killed = false;
  postMessage(message: unknown): void {
    this.heard.push(message);
  }
  kill(): boolean {
    this.killed = true;
    this.emit('exit', 1);
    return true;
  }
}
export const forked: FakeProcess[] = [];
export const utilityProcess = {
  fork(): FakeProcess {
    const process = new FakeProcess();
    forked.push(process);
    return process;
  },
};

export let saveDialog: { canceled: boolean; filePath: string } = { canceled: true, filePath: '' };
export const saveDialogOptions: unknown[] = [];
export function answerSaveDialog(answer: typeof saveDialog): void {
  saveDialog = answer;
}
export const dialog = {
  showSaveDialog(_window: unknown, options: unknown): Promise<typeof saveDialog> {
    saveDialogOptions.push(options);
    return Promise.resolve(saveDialog);
  },
};

export const Menu = { buildFromTemplate: (template: unknown): unknown => template, setApplicationMenu: (): void => {} };
export const app = { getPath: (): string => '' };
export const nativeTheme = { shouldUseDarkColors: false };
export const screen = { getAllDisplays: (): unknown[] => [] };

/** A session of its own that serves what its one handler gives. */
export const partitions: { readonly name: string; handler?: (request: { readonly url: string }) => Response }[] = [];
export const session = {
  fromPartition(name: string) {
    const partition: (typeof partitions)[number] = { name };
    partitions.push(partition);
    return {
      setPermissionRequestHandler: (): void => {},
      setPermissionCheckHandler: (): void => {},
      setDevicePermissionHandler: (): void => {},
      protocol: {
        handle: (_scheme: string, handler: NonNullable<typeof partition.handler>): void => void (partition.handler = handler),
        unhandle: (_scheme: string): void => void delete partition.handler,
      },
    };
  },
};

export const browserWindows: BrowserWindow[] = [];
let loadFailure: Error | null = null;
export function failToLoad(failure: Error | null): void {
  loadFailure = failure;
}
export class BrowserWindow extends EventEmitter {
  readonly options: unknown;
  loaded = '';
  destroyed = false;
  printed: unknown;
  readonly webContents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (): void => {},
    printToPDF: (options: unknown): Promise<Buffer> => {
      this.printed = options;
      return Promise.resolve(Buffer.from('%PDF-'));
    },
  });
  constructor(options?: unknown) {
    super();
    this.options = options;
    browserWindows.push(this);
  }
  loadURL(address: string): Promise<void> {
    this.loaded = address;
    return loadFailure === null ? Promise.resolve() : Promise.reject(loadFailure);
  }
  destroy(): void {
    this.destroyed = true;
  }
}
