import { Menu, type MenuItemConstructorOptions } from 'electron';

/** The usual menus with the usual keys; everything of Holdfast's own is in the page. */
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

export function installMenu(options: { mac: boolean; developer: boolean }): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}
