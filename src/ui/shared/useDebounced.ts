import { useEffect, useEffectEvent, useState } from 'react';

const DEBOUNCE_MS = 250;

/** Returns the value once `key` has not changed for 250 ms. The first value is returned immediately. */
export function useDebounced<T>(value: T, key: unknown = value): T {
  const [settled, setSettled] = useState(value);
  const settle = useEffectEvent((_key: unknown) => setSettled(value));
  useEffect(() => {
    const timer = setTimeout(() => settle(key), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [key]);
  return settled;
}
