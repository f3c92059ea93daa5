/**
 * Features that a headless browser does not need. Two address bar pages per window take a second of CPU time to start, which a visit or a
 * load would lack. The others are those that Playwright disables: Chromium uses only the last of two such switches.
 */
const FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
];

/** The switch that disables these features in Chromium. */
export const LEFT_OUT = `--disable-features=${FEATURES.join(',')}`;

/**
 * WebRTC could send to any address, including hosts outside the plan. With this policy it sends only through a proxy, and there is none.
 */
export const NO_CALLS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];
