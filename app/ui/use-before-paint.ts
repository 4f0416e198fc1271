import { useEffect, useLayoutEffect } from 'react';

/** Runs an effect before the browser paints what has been rendered. React warns of layout effects on the server. */
export const useBeforePaint = import.meta.env.SSR ? useEffect : useLayoutEffect;
