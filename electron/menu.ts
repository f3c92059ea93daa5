import { BrowserWindow, Menu, type MenuItemConstructorOptions, type NavigationHistory } from 'electron';

/** Returns the standard menus with their shortcuts. Everything specific to Holdfast is on the page. */
export function menuTemplate({ mac, developer }: { mac: boolean; developer: boolean }): MenuItemConstructorOptions[] {
  const view: MenuItemConstructorOptions[] = [
    { role: 'reload' },
    ...(developer ? [{ role: 'toggleDevTools' as const }] : []),
    { type: 'separator' },
    { role: 'resetZoom' },
    { role: 'zoomIn' },
    { role: 'zoomOut' },
    { role: 'togglefullscreen' },
  ];
  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    { label: 'File', submenu: [mac ? { role: 'close' } : { role: 'quit' }] },
    { role: 'editMenu' },
    { label: 'View', submenu: view },
    { role: 'windowMenu' },
  ];
}

/** Returns a menu with browser commands, for a window that has no address bar. */
export function recordingTemplate({ mac }: { mac: boolean }): MenuItemConstructorOptions[] {
  const focusedHistory = (): NavigationHistory | undefined => BrowserWindow.getFocusedWindow()?.webContents.navigationHistory;
  return [
    ...(mac ? [{ role: 'appMenu' as const }] : []),
    {
      label: 'Page',
      submenu: [
        { label: 'Back', accelerator: mac ? 'Command+Left' : 'Alt+Left', click: () => focusedHistory()?.goBack() },
        { label: 'Forward', accelerator: mac ? 'Command+Right' : 'Alt+Right', click: () => focusedHistory()?.goForward() },
        { role: 'reload' },
        { type: 'separator' },
        { role: 'close' },
      ],
    },
    { role: 'editMenu' },
    { label: 'View', submenu: [{ role: 'resetZoom' }, { role: 'zoomIn' }, { role: 'zoomOut' }, { role: 'togglefullscreen' }] },
    { role: 'windowMenu' },
  ];
}

export function installMenu(template: MenuItemConstructorOptions[]): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
