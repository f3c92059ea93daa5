/**
 * Features that a browser without a person does not need. Two pages in each window suggest what to enter in its address bar; they take a second of processor time to
 * start, which a visit or a load would lack. The others are what Playwright leaves out: of two such switches Chromium reads the last.
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

/** The switch by which Chromium starts without them. */
export const LEFT_OUT = `--disable-features=${FEATURES.join(',')}`;

/** WebRTC could send to any address, including hosts outside the plan. With this policy it sends only through a proxy, and there is none. */
export const NO_CALLS = [
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
];
