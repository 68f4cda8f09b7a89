// Nodes as points of the graphics card: circle, square, diamond or triangle, as the canvas draws them.
import { NodeProgram, type ProgramInfo } from "sigma/rendering";
import type { NodeDisplayData, RenderParams } from "sigma/types";
import { floatColor } from "sigma/utils";
import { SHAPES, type Shape } from "../colours";

const UNIFORMS = ["u_sizeRatio", "u_pixelRatio", "u_matrix"] as const;

/** A point is wider than its radius: corners reach beyond it. */
const REACH = "1.35";

const VERTEX = `
attribute vec4 a_id;
attribute vec4 a_color;
attribute vec2 a_position;
attribute float a_shape;
uniform float u_sizeRatio;
uniform float u_pixelRatio;
uniform mat3 u_matrix;
varying vec4 v_color;
varying float v_shape;
varying float v_pixel;
void main() {
  gl_Position = vec4((u_matrix * vec3(a_position, 1)).xy, 0, 1);
  float radius = u_pixelRatio / u_sizeRatio;
  gl_PointSize = 2.0 * ${REACH} * radius;
  v_pixel = 1.0 / radius;
  v_shape = a_shape;
  #ifdef PICKING_MODE
  v_color = a_id;
  #else
  v_color = a_color;
  #endif
  v_color.a *= 255.0 / 254.0;
}`;

const FRAGMENT = `
precision highp float;
varying vec4 v_color;
varying float v_shape;
varying float v_pixel;
void main() {
  vec2 p = ${REACH} * (2.0 * gl_PointCoord - 1.0);
  vec2 q = abs(p);
  float away = length(p) - 1.0;
  if (v_shape > 2.5) away = max(p.y - 0.8, (2.0 * q.x - 1.1 * (p.y + 1.2)) / 2.28);
  else if (v_shape > 1.5) away = (q.x + q.y - 1.25) / 1.414;
  else if (v_shape > 0.5) away = max(q.x, q.y) - 0.88;
  float inside = clamp(0.5 - away / v_pixel, 0.0, 1.0);
  #ifdef PICKING_MODE
  inside = step(0.5, inside);
  #endif
  gl_FragColor = v_color * inside;
}`;

export class ShapeProgram extends NodeProgram<(typeof UNIFORMS)[number]> {
  getDefinition() {
    const { FLOAT, POINTS, UNSIGNED_BYTE } = WebGLRenderingContext;
    return {
      VERTICES: 1,
      VERTEX_SHADER_SOURCE: VERTEX,
      FRAGMENT_SHADER_SOURCE: FRAGMENT,
      METHOD: POINTS as 0,
      UNIFORMS,
      ATTRIBUTES: [
        { name: "a_position", size: 2, type: FLOAT },
        { name: "a_shape", size: 1, type: FLOAT },
        { name: "a_color", size: 4, type: UNSIGNED_BYTE, normalized: true },
        { name: "a_id", size: 4, type: UNSIGNED_BYTE, normalized: true },
      ],
    };
  }

  processVisibleItem(number: number, at: number, data: NodeDisplayData & { shape?: Shape }): void {
    this.array[at++] = data.x;
    this.array[at++] = data.y;
    this.array[at++] = SHAPES.indexOf(data.shape ?? "circle");
    this.array[at++] = floatColor(data.color);
    this.array[at] = number;
  }

  setUniforms({ sizeRatio, pixelRatio, matrix }: RenderParams, { gl, uniformLocations }: ProgramInfo): void {
    gl.uniform1f(uniformLocations.u_pixelRatio, pixelRatio);
    gl.uniform1f(uniformLocations.u_sizeRatio, sizeRatio);
    gl.uniformMatrix3fv(uniformLocations.u_matrix, false, matrix);
  }
}
