import { expect, it } from 'vitest';
import { channels } from './channels.ts';
import { exposedValues, ipcRenderer, sentMessages } from './testing/electron.ts';
import './preload.ts';

interface Bridge {
  port: { send(frame: string): void; onFrame(listener: (frame: string) => void): void; onClose(listener: () => void): void };
  verbs: {
    openExternal(url: string): Promise<unknown>;
    saveText(file: { suggestedName: string; content: string }): Promise<unknown>;
    onFile(listener: () => void): void;
  };
}
const bridge = exposedValues.get('holdfast') as Bridge;
const connectionNow = (): unknown => {
  bridge.port.send('x');
  return sentMessages.at(-1)?.[1];
};

it('the preload script exposes exactly the port and the verbs, and nothing from Electron', () => {
  expect([...exposedValues.keys()]).toEqual(['holdfast']);
  expect(Object.keys(bridge)).toEqual(['port', 'verbs']);
  expect(Object.keys(bridge.port)).toEqual(['send', 'onFrame', 'onClose']);
  expect(Object.keys(bridge.verbs)).toEqual(['openExternal', 'saveText', 'takeFile', 'onFile', 'savePdf']);
});

it('the preload script passes on only frames of its own connection', () => {
  const frames: string[] = [];
  bridge.port.onFrame((frame) => frames.push(frame));
  const own = connectionNow();
  ipcRenderer.emit(channels.toPage, { sender: 'secret' }, own, 'mine');
  ipcRenderer.emit(channels.toPage, {}, 'the page before', 'late');
  expect(frames).toEqual(['mine']);
});

it('the preload script starts a new connection when the old one has ended, and notifies the page', () => {
  let closed = 0;
  bridge.port.onClose(() => (closed += 1));
  const own = connectionNow();
  ipcRenderer.emit(channels.toPage, {}, 'the page before', null);
  expect(closed).toBe(0);
  ipcRenderer.emit(channels.toPage, {}, own, null);
  expect(closed).toBe(1);
  expect(connectionNow()).not.toBe(own);
});

it('the preload script passes verbs as plain data', () => {
  void bridge.verbs.saveText({ suggestedName: 'a.json', content: '{}', path: '/etc/passwd' } as { suggestedName: string; content: string });
  expect(sentMessages.at(-1)).toEqual([channels.verb, { verb: 'saveText', suggestedName: 'a.json', content: '{}' }]);
});

it("the preload script announces that a file is waiting, without the file's content", () => {
  const reported: unknown[][] = [];
  bridge.verbs.onFile((...words: unknown[]) => void reported.push(words));
  ipcRenderer.emit(channels.file, { sender: 'secret' }, '/home/me/day.holdfast');
  expect(reported).toEqual([[]]);
});
