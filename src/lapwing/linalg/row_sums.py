"""Sums of neighbours' rows in vector registers, the innermost loop of every pass."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

AHEAD = 12
"""How many neighbours in advance their rows are fetched into the cache."""


def _fetch(builder: ir.IRBuilder, pointer: Any) -> None:
    """Fetch what a pointer points to into the cache, for reading."""
    byte = ir.IntType(8).as_pointer()
    function = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.VoidType(), [byte] + [ir.IntType(32)] * 3),
        "llvm.prefetch.p0i8",
    )
    flags = [ir.Constant(ir.IntType(32), flag) for flag in (0, 3, 1)]
    builder.call(function, [builder.bitcast(pointer, byte), *flags])


@intrinsic
def prefetched(_: Any, values: Any, at: Any) -> Any:
    """Fetch an element of an array into the cache; `at` has no sign."""

    def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
        array = context.make_array(signature.args[0])(context, builder, arguments[0])
        integer = ir.IntType(64)
        place = arguments[1]
        place = place if place.type == integer else builder.zext(place, integer)
        _fetch(builder, builder.gep(array.data, [place]))
        return context.get_dummy_value()

    return types.void(values, at), code


def row_sum_of(lanes: int) -> Any:
    """Return an intrinsic that adds up `lanes` columns of the neighbours' rows in registers."""

    @intrinsic
    def row_sum(
        _: Any, ends: Any, weights: Any, now: Any, first: Any, last: Any,
        column: Any, total: Any,
    ) -> Any:  # fmt: skip
        signature = types.void(ends, weights, now, first, last, column, total)

        def code(context: Any, builder: ir.IRBuilder, signature: Any, arguments: Any) -> Any:
            ends_, weights_, now_, first_, last_, column_, total_ = arguments
            kinds = signature.args
            arrays: list[Any] = [
                None if kind is types.none else context.make_array(kind)(context, builder, value)
                for kind, value in zip(kinds[:3], (ends_, weights_, now_), strict=True)
            ]
            neighbours, edge_weights, values = arrays
            number = context.get_data_type(kinds[2].dtype)
            vector = ir.VectorType(number, lanes)
            integer = ir.IntType(64)
            width = cgutils.unpack_tuple(builder, values.shape)[1]
            size = number.get_abi_size(context.target_data)
            held = cgutils.alloca_once(builder, vector)
            builder.store(ir.Constant(vector, None), held)  # zeros

            def row_at(edge: Any) -> Any:
                end = builder.load(builder.gep(neighbours.data, [edge]))
                if end.type != integer:
                    end = builder.sext(end, integer)
                return builder.gep(values.data, [builder.add(builder.mul(end, width), column_)])

            def vector_at(pointer: Any) -> Any:
                return builder.bitcast(pointer, vector.as_pointer())

            final = builder.sub(
                builder.extract_value(builder.load(neighbours._get_ptr_by_name("shape")), 0),
                ir.Constant(integer, 1),
            )
            with cgutils.for_range_slice(
                builder, first_, last_, ir.Constant(integer, 1), integer
            ) as (edge, _):
                ahead = builder.add(edge, ir.Constant(integer, AHEAD))
                inside = builder.icmp_signed("<", ahead, final)
                coming = row_at(builder.select(inside, ahead, final))
                _fetch(builder, coming)
                load = builder.load(vector_at(row_at(edge)))
                load.align = size
                if edge_weights is not None:
                    weight = builder.load(builder.gep(edge_weights.data, [edge]))
                    lane = ir.Constant(ir.IntType(32), 0)
                    one = builder.insert_element(ir.Constant(vector, ir.Undefined), weight, lane)
                    many = ir.Constant(ir.VectorType(ir.IntType(32), lanes), None)
                    load = builder.fmul(load, builder.shuffle_vector(one, one, many))
                builder.store(builder.fadd(builder.load(held), load), held)
            sums = context.make_array(kinds[6])(context, builder, total_)
            place = builder.store(builder.load(held), vector_at(sums.data))
            place.align = size
            return context.get_dummy_value()

        return signature, code

    return row_sum


sum_2, sum_4, sum_8, sum_16 = (row_sum_of(lanes) for lanes in (2, 4, 8, 16))
