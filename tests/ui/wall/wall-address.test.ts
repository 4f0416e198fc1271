import { expect, test } from 'vitest';
import { isWallAddress, withoutWall, withWall } from '../../../app/ui/wall/wall-address';

test.each([
  ['/', '?wall', true],
  ['/', '?range=1HR&wall', true],
  ['/', '?wall=', true],
  ['/chart', '?range=1HR&wall=1', true],
  ['/CHART', '?wall', true],
  ['/', '', false],
  ['/', '?range=wall', false],
  ['/postdata', '?wall', false],
])('%s%s is a wall address: %s', (pathname, search, isWall) => {
  expect(isWallAddress({ pathname, search })).toBe(isWall);
});

test.each([
  ['', '?wall'],
  ['?range=1HR', '?range=1HR&wall'],
])('the wall address of "%s" is "%s", and leaving it leads back', (search, wall) => {
  expect(withWall(search)).toBe(wall);
  expect(withoutWall(wall)).toBe(search);
});
