// Imitates the parts of Electron's API that the app uses. It records calls and can emit events.
import { EventEmitter } from 'node:events';

export const openedUrls: string[] = [];
export const shell = { openExternal: (url: string): Promise<void> => Promise.resolve(void openedUrls.push(url)) };

type Handler = (...values: never[]) => unknown;

export const handlers = new Map<string, Handler>();
export const ipcMain = Object.assign(new EventEmitter(), {
  handle: (channel: string, handler: Handler): void => void handlers.set(channel, handler),
});

export const privilegedSchemes: unknown[] = [];
export const schemes = new Map<string, (request: Request) => Promise<Response>>();
export const protocol = {
  registerSchemesAsPrivileged: (list: unknown[]): void => void privilegedSchemes.push(...list),
  handle: (scheme: string, handler: (request: Request) => Promise<Response>): void => void schemes.set(scheme, handler),
};

export const exposedValues = new Map<string, unknown>();
export const contextBridge = { exposeInMainWorld: (name: string, value: unknown): void => void exposedValues.set(name, value) };

export const sentMessages: unknown[][] = [];
export const ipcRenderer = Object.assign(new EventEmitter(), {
  send: (...values: unknown[]): void => void sentMessages.push(values),
  invoke: (...values: unknown[]): Promise<unknown> => Promise.resolve(void sentMessages.push(values)),
});

/** A backend process controlled by a test. */
export class FakeProcess extends EventEmitter {
  readonly args: readonly string[];
  readonly received: unknown[] = [];
  killed = false;
  constructor(args: readonly string[] = []) {
    super();
    this.args = args;
  }
  postMessage(message: unknown): void {
    this.received.push(message);
  }
  kill(): boolean {
    this.killed = true;
    this.emit('exit', 1);
    return true;
  }
}
export const forkedProcesses: FakeProcess[] = [];
export const utilityProcess = {
  fork(_entry: string, args: readonly string[]): FakeProcess {
    const process = new FakeProcess(args);
    forkedProcesses.push(process);
    return process;
  },
};

export let saveDialog: { canceled: boolean; filePath: string } = { canceled: true, filePath: '' };
export const saveDialogOptions: unknown[] = [];
export function replySaveDialog(reply: typeof saveDialog): void {
  saveDialog = reply;
}
export const messages: unknown[] = [];
export const dialog = {
  showMessageBox(_window: unknown, options: unknown): Promise<void> {
    return Promise.resolve(void messages.push(options));
  },
  showSaveDialog(_window: unknown, options: unknown): Promise<typeof saveDialog> {
    saveDialogOptions.push(options);
    return Promise.resolve(saveDialog);
  },
};

export const Menu = { buildFromTemplate: (template: unknown): unknown => template, setApplicationMenu: (): void => {} };
/** Switches on the app's command line. */
export const switches = new Map<string, string>();
export const app = Object.assign(new EventEmitter(), {
  isPackaged: false,
  hasQuit: false,
  userAgentFallback: '',
  getPath: (name: string): string => `/${name}`,
  whenReady: (): Promise<void> => Promise.resolve(),
  quit(): void {
    app.hasQuit = true;
  },
  commandLine: {
    hasSwitch: (name: string): boolean => switches.has(name),
    getSwitchValue: (name: string): string => switches.get(name) ?? '',
  },
});
export const nativeTheme = { shouldUseDarkColors: false };
export const screen = { getAllDisplays: (): unknown[] => [] };

/** A session that serves what its only handler returns. */
interface Partition extends EventEmitter {
  readonly name: string;
  handler?: (request: { readonly url: string }) => Response;
  verify?: (request: unknown, reply: (code: number) => void) => void;
}
export const partitions: Partition[] = [];
export const session = {
  fromPartition(name: string) {
    const partition: Partition = Object.assign(new EventEmitter(), { name });
    partitions.push(partition);
    return Object.assign(partition, {
      setCertificateVerifyProc: (verify: NonNullable<Partition['verify']>): void => void (partition.verify = verify),
      setPermissionRequestHandler: (): void => {},
      setPermissionCheckHandler: (): void => {},
      setDevicePermissionHandler: (): void => {},
      protocol: {
        handle: (_scheme: string, handler: NonNullable<Partition['handler']>): void => void (partition.handler = handler),
        unhandle: (_scheme: string): void => void delete partition.handler,
      },
    });
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
  title = '';
  closed = false;
  openHandler: ((details: { readonly features: string }) => unknown) | undefined;
  readonly webContents = Object.assign(new EventEmitter(), {
    setWindowOpenHandler: (handler: NonNullable<typeof this.openHandler>): void => void (this.openHandler = handler),
    getURL: (): string => this.loaded,
    printToPDF: (options: unknown): Promise<Buffer> => {
      this.printed = options;
      return Promise.resolve(Buffer.from('%PDF-'));
    },
  });
  constructor(options?: unknown) {
    super();
    this.options = options;
    browserWindows.push(this);
    app.emit('browser-window-created', {}, this);
  }
  static fromWebContents(contents: unknown): BrowserWindow | null {
    return browserWindows.find(({ webContents }) => webContents === contents) ?? null;
  }
  setTitle(title: string): void {
    this.title = title;
  }
  close(): void {
    this.closed = true;
  }
  loadURL(address: string): Promise<void> {
    this.loaded = address;
    return loadFailure === null ? Promise.resolve() : Promise.reject(loadFailure);
  }
  destroy(): void {
    this.destroyed = true;
  }
}
