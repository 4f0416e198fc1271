import { expect, test } from 'vitest';
import { attachment } from '../../app/http/formats.server';

test.each([
  ['airboard-2026-01-02.csv', 'filename="airboard-2026-01-02.csv"'],
  ['Living room.csv', 'filename="Living room.csv"'],
  ['Küche.csv', 'filename="K_che.csv"; filename*=UTF-8\'\'K%C3%BCche.csv'],
  ['🍳.csv', 'filename="_.csv"; filename*=UTF-8\'\'%F0%9F%8D%B3.csv'],
  ["ü'(*).csv", "filename=\"_'(_).csv\"; filename*=UTF-8''%C3%BC%27%28_%29.csv"],
  ['a/../b\\c:d*e?f"g<h>i|j%41.csv', 'filename="a_.._b_c_d_e_f_g_h_i_j_41.csv"'],
  ['a\r\nSet-Cookie: b.csv', 'filename="a__Set-Cookie_ b.csv"'],
  ['gpj\u202evsc.csv', 'filename="gpj_vsc.csv"'],
])('names a file %j by %s', (name, parameters) => {
  expect(attachment(name)).toBe(`attachment; ${parameters}`);
});
